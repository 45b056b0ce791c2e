"""One layer at several numbers of heads: the effect of dividing d_model among more of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Generator

from attention import checks
from attention.analysis import heads
from attention.analysis.sharpness import entropy
from attention.modules import MultiHeadAttention
from attention.trace import Trace


@dataclass(frozen=True)
class Count:
    """A number of heads at d_k = d_model / heads: parameters (no bias), the smallest and largest rank of the raw scores
    of a head, those of the weights, and the mean number of keys that a query attends to, exp of the entropy."""

    heads: int
    d_k: int
    parameters: int
    scores: tuple[int, int]
    weights: tuple[int, int]
    effective: float


def counts(d_model: int, tokens: int, numbers: Sequence[int], *, generator: Generator) -> tuple[Count, ...]:
    """Untrained self-attention over x, N(0, 1), of some tokens, in float64; the same x for every number of heads.

    ValueError: a size below 1, a number of heads that does not divide d_model.
    """
    checks.positive(d_model=d_model, tokens=tokens)
    x = torch.randn(tokens, d_model, generator=generator, dtype=torch.float64)
    found = []
    for number in numbers:
        module, trace = MultiHeadAttention(d_model, number, generator=generator).double(), Trace()
        with torch.no_grad():
            module(x, trace=trace)
        weights = trace["weights"].value
        found.append(
            Count(
                number,
                module.d_k,
                sum(parameter.numel() for parameter in module.parameters()),
                _ends(heads.rank(trace)),
                _ends(torch.linalg.matrix_rank(weights)),
                entropy(weights).exp().mean().item(),
            )
        )
    return tuple(found)


def _ends(ranks: torch.Tensor) -> tuple[int, int]:
    return int(ranks.min()), int(ranks.max())
