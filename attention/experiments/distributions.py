"""Distributions for the entries of queries and keys: mean 0, variance 1, symmetric; and their moments."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from attention import checks

# The largest float32 below 1: a uniform draw from [-1, 1) can be -1, whose logarithm below would be infinite.
_BELOW_ONE = 1 - 2**-24


@dataclass(frozen=True)
class Distribution:
    """fill: draws into a float32 tensor of any shape, in place; even: E z^2, E z^4, E z^6 and E z^8."""

    fill: Callable[[Tensor, Generator], Tensor]
    even: tuple[float, float, float, float]

    @property
    def kurtosis(self) -> float:
        """E z^4 of an entry z of unit variance; 3 for the normal distribution."""
        return self.even[1]

    def moment(self, order: int) -> float:
        """E z^order, for order 0 to 8; infinite where the tails are too heavy."""
        if order == 0:
            return 1.0
        return 0.0 if order % 2 else self.even[order // 2 - 1]


def distribution(name: str) -> Distribution:
    """Look up a distribution by name. ValueError: a name that is not in `DISTRIBUTIONS`."""
    checks.choice("distribution", name, DISTRIBUTIONS)
    return DISTRIBUTIONS[name]


def _normal(out: Tensor, generator: Generator) -> Tensor:
    return out.normal_(generator=generator)


def _uniform(out: Tensor, generator: Generator) -> Tensor:
    return out.uniform_(-math.sqrt(3), math.sqrt(3), generator=generator)


def _signs(out: Tensor, generator: Generator) -> Tensor:
    # Five times faster than `bernoulli_`.
    return out.random_(0, 2, generator=generator).mul_(2).sub_(1)


def _laplace(out: Tensor, generator: Generator) -> Tensor:
    # The inverse of the distribution function: `exponential_` takes six times as long.
    out.uniform_(-1, 1, generator=generator).clamp_(-_BELOW_ONE, _BELOW_ONE)
    magnitude = out.abs().neg_().log1p_().div_(-math.sqrt(2))
    return out.copy_(magnitude.copysign_(out))


def _t5(out: Tensor, generator: Generator) -> Tensor:
    """z sqrt(3 / chi2_5), where chi2_5 is the square of a normal and twice the sum of two exponentials."""
    other = torch.empty_like(out)
    chi2 = torch.zeros_like(out)
    for _ in range(2):
        chi2.sub_(other.uniform_(generator=generator).neg_().log1p_(), alpha=2)
    chi2.add_(other.normal_(generator=generator).square_())
    return out.normal_(generator=generator).mul_(chi2.div_(3).rsqrt_())


DISTRIBUTIONS: dict[str, Distribution] = {
    "normal": Distribution(_normal, (1, 3, 15, 105)),
    "uniform": Distribution(_uniform, (1, 9 / 5, 27 / 7, 9)),
    "signs": Distribution(_signs, (1, 1, 1, 1)),
    "laplace": Distribution(_laplace, (1, 6, 90, 2520)),
    "t5": Distribution(_t5, (1, 9, math.inf, math.inf)),
}
