"""Helpers of many test files: seeded tensors, masks in both forms, gradients, exact error texts, bounds on rounding."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
import torch
from torch import Generator, Tensor

from attention.masks import MASKS, grid

# Pairwise distinct primes: a wrong axis cannot fit by accident.
BATCH, HEADS, QUERIES, KEYS, D_K, D_V = 2, 3, 5, 7, 11, 13


def rounding(*terms: int, of: float = 1.0, dtype: torch.dtype = torch.float64) -> float:
    """How far apart two computations of a number may be if they add terms in different orders, as processors do.

    A sum of n terms, in any order, is off by at most n half epsilons of the sum of the absolute terms (Higham 2002,
    section 4.2); the errors of successive sums add up. terms: the number of terms of each successive sum; of: the
    largest sum of absolute terms, 1 for the weights of a row.
    """
    return sum(terms) * torch.finfo(dtype).eps * of


def summed(a: Tensor, b: Tensor) -> float:
    """The largest sum of absolute terms in a cell of a product, to which the rounding of its cells is relative."""
    return float((a.abs() @ b.abs()).max())


# Comparisons with torch have successive sums of up to 41, 37 and 43 terms. The tolerance of float64 is above their
# rounding, and far below the effect of an error. The two short formats are compared with float64 results of the same
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
    """Any registered mask, with 2 for each of its parameters."""
    return grid(name, queries, keys, corner=corner, **dict.fromkeys(MASKS[name].parameters, 2))


def as_float(mask: Tensor, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(~mask, -torch.inf)


def with_gradients(function: Callable[..., Tensor], inputs: Sequence[Tensor]) -> list[Tensor]:
    """The output and the gradient of each input, for one random cotangent."""
    leaves = [tensor.detach().clone().requires_grad_() for tensor in inputs]
    output = function(*leaves)
    (cotangent,) = drawn(output.shape, dtype=output.dtype, seed=1)
    return [output.detach(), *torch.autograd.grad(output, leaves, cotangent)]


@contextmanager
def refused(text: str, error: type[Exception] = ValueError) -> Iterator[None]:
    with pytest.raises(error) as caught:
        yield
    assert caught.value.args == (text,)
