"""What several test files share: tensors from a generator, masks in both forms, gradients, exact error texts."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
import torch
from torch import Generator, Tensor

from attention.masks import MASKS, grid

# Pairwise distinct primes: a wrong axis cannot fit by accident.
BATCH, HEADS, QUERIES, KEYS, D_K, D_V = 2, 3, 5, 7, 11, 13


def rounding(*terms: int, of: float = 1.0, dtype: torch.dtype = torch.float64) -> float:
    """How far apart two computations of one number may be whose sums are taken in another order, as processors do.

    A sum of n terms is off by at most n units of rounding, half an epsilon each, of the sum of the sizes of its terms,
    in any order (Higham 2002, section 4.2); of sums that follow one another the errors add up. terms: of each of them,
    how many; of: the largest sum of sizes, 1 for the weights of a row."""
    return sum(terms) * torch.finfo(dtype).eps * of


def summed(a: Tensor, b: Tensor) -> float:
    """The largest sum of the sizes of the terms of a product: what the rounding of its cells is relative to."""
    return float((a.abs() @ b.abs()).max())


# Sums of up to 41, 37 and 43 terms follow one another in what is held against torch. In float64 more is allowed than
# they can be off, and far less than an error makes. The two short formats are held against float64 results of the same
# (rounded) inputs, to four units of rounding.
CLOSE: dict[torch.dtype, dict[str, float]] = {
    torch.float64: {"rtol": 0, "atol": 1e-12},
    torch.float32: {"rtol": 0, "atol": rounding(41, 37, 43, dtype=torch.float32)},
    torch.float16: {"rtol": 0, "atol": 4 * torch.finfo(torch.float16).eps},
    torch.bfloat16: {"rtol": 0, "atol": 4 * torch.finfo(torch.bfloat16).eps},
}
EXACT = {"rtol": 0, "atol": 0}


def seeded(seed: int = 0) -> Generator:
    return Generator().manual_seed(seed)


def drawn(*shapes: tuple[int, ...], dtype: torch.dtype = torch.float64, seed: int = 0) -> list[Tensor]:
    generator = seeded(seed)
    return [torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype) for shape in shapes]


def qkv(dtype: torch.dtype = torch.float64) -> list[Tensor]:
    lead = (BATCH, HEADS)
    return drawn((*lead, QUERIES, D_K), (*lead, KEYS, D_K), (*lead, KEYS, D_V), dtype=dtype)


def grid_of(name: str, queries: int = QUERIES, keys: int = KEYS, corner: str = "upper_left") -> Tensor:
    """Any registered mask; a parameter that a new mask brings along is 2 like all the others."""
    return grid(name, queries, keys, corner=corner, **dict.fromkeys(MASKS[name].parameters, 2))


def as_float(mask: Tensor, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(~mask, -torch.inf)


def with_gradients(function: Callable[..., Tensor], inputs: Sequence[Tensor]) -> list[Tensor]:
    """The output and the gradient of each input, all pulled back from one drawn cotangent."""
    leaves = [tensor.detach().clone().requires_grad_() for tensor in inputs]
    output = function(*leaves)
    (cotangent,) = drawn(output.shape, dtype=output.dtype, seed=1)
    return [output.detach(), *torch.autograd.grad(output, leaves, cotangent)]


@contextmanager
def refused(text: str, error: type[Exception] = ValueError) -> Iterator[None]:
    with pytest.raises(error) as caught:
        yield
    assert caught.value.args == (text,)
