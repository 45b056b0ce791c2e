"""Permutation equivariance: shuffled tokens give shuffled rows, unless a mask or positions distinguish places.

Without them f(P X) = P f(X) for every permutation P: equivariant, not invariant. A mask over positions and positions
added to X belong to places, not to words, so they stay in place when the words move.
"""

import copy
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from attention.modules import MultiHeadAttention
from attention.trace import Trace

_TOKENS = ("query", "key")


@dataclass(frozen=True)
class Shuffled:
    """Two runs of one module, in float64. order (n,): place i of the shuffled sentence holds token order[i]."""

    order: Tensor
    plain: Trace
    moved: Trace

    def restored(self, id: str) -> Tensor:
        """A step of the shuffled run with every axis of tokens back in the order of the sentence."""
        step, back = self.moved[id], self.order.argsort()
        value = step.value
        for axis, name in enumerate(step.axes):
            if name in _TOKENS:
                value = value.index_select(axis, back)
        return value

    def difference(self, id: str) -> float:
        """The largest difference between a step, put back in order, and that of the sentence: 0 up to rounding if only
        the order changed."""
        return (self.restored(id) - self.plain[id].value).abs().max().item()


def permutation(n: int, generator: Generator) -> Tensor:
    """A drawn order (n,) of n items, on the CPU; for two or more it is never the identity.

    ValueError: n below 1.
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    first = torch.arange(n)
    order = torch.randperm(n, generator=generator)
    while n > 1 and torch.equal(order, first):
        order = torch.randperm(n, generator=generator)
    return order


def shuffle(
    module: MultiHeadAttention,
    x: Tensor,
    order: Tensor,
    *,
    positions: Tensor | None = None,
    mask: Tensor | None = None,
    scale: float | None = None,
) -> Shuffled:
    """Attention over x (..., n, d_model) and over its tokens in another order: on the CPU, in float64, without dropout.

    positions (n, d_model) are added in both runs, after the tokens have moved; mask and scale as in
    `MultiHeadAttention`. ValueError: an order that is not a permutation of the tokens, sizes that do not fit.
    """
    n = x.shape[-2]
    if order.shape != (n,) or not torch.equal(order.sort().values, torch.arange(n, device=order.device)):
        raise ValueError(f"order must name each of the {n} tokens once, got {order.tolist()}")
    exact = copy.deepcopy(module).to("cpu", torch.float64).eval()
    x, order = x.to("cpu", torch.float64), order.cpu()
    added = 0 if positions is None else positions.to("cpu", torch.float64)
    plain, moved = Trace(), Trace()
    with torch.no_grad():
        for trace, tokens in ((plain, x), (moved, x.index_select(-2, order))):
            exact(tokens + added, mask=mask, scale=scale, trace=trace)
    return Shuffled(order, plain, moved)
