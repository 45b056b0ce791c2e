"""An exercise: the calls that a student's function has to answer, with the right answer and those of usual mistakes."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from attention.functional import scaled_dot_product_attention
from attention.trace import Trace

ANYTHING = math.inf
"""What a mistake makes of a row where code may come to NaN, to zeros or to equal shares: no answer is infinite."""


@dataclass(frozen=True)
class Case:
    """One call. inputs: arguments by name; right: the right answer; wrong: the answers of mistakes, by id.

    A number is `ANYTHING` if it depends on how the mistake is written. A mistake that cannot run with the sizes of this
    call is missing. All numbers are float64; the inputs are exact in float32 as well, so one case serves both.
    """

    inputs: Mapping[str, Tensor | float | bool]
    right: Tensor
    wrong: Mapping[str, Tensor]

    def arguments(self, dtype: torch.dtype) -> dict[str, Tensor | float | bool]:
        """The arguments as the student's function gets them: copies, floating-point ones in a dtype."""
        return {name: _given(value, dtype) for name, value in self.inputs.items()}


def _given(value: Tensor | float | bool, dtype: torch.dtype) -> Tensor | float | bool:
    if not isinstance(value, Tensor):
        return value
    return value.to(dtype, copy=True) if value.dtype.is_floating_point else value.clone()


@dataclass(frozen=True)
class Exercise:
    """A function to write. make: its calls; weights: whether it returns rows that sum to one. Its words are in
    texts.toml."""

    name: str
    make: Callable[[], Iterator[Case]]
    weights: bool = False

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        return tuple(self.make())


def numbers(*shape: int, seed: int, times: float = 1.0, plus: float = 0.0) -> Tensor:
    """Normal numbers of a shape, as float32 has them."""
    drawn = torch.randn(shape, generator=torch.Generator().manual_seed(seed))
    return (drawn * times + plus).double()


def attended(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | str | None = None, scale: float | None = None
) -> Tensor:
    """The output of attention."""
    return scaled_dot_product_attention(query, key, value, mask=mask, scale=scale)


def weights(scores: Tensor, allowed: Tensor | None = None) -> Tensor:
    """The weights that the implementation makes of scores (..., L, S), which are already scaled.

    The queries are the scores and the keys the rows of the identity, [1 0 0 …], so the products are the scores
    unchanged.
    """
    trace, one = Trace(), torch.eye(scores.shape[-1], dtype=scores.dtype)
    scaled_dot_product_attention(scores, one, one, scale=1.0, mask=allowed, trace=trace)
    return trace["weights"].value


def loose(made: Tensor, allowed: Tensor) -> Tensor:
    """The weights of a mistake, `ANYTHING` in rows without a visible key."""
    return made.masked_fill(~allowed.any(-1, keepdim=True), ANYTHING)
