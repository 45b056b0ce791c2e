"""The backward pass by its formulas, and by PyTorch's own attention, compared with autograd through the record."""

from dataclasses import dataclass

import torch
from torch.nn import functional as F

from attention.analysis.backward import Backward
from attention.analysis.rerun import variant
from attention.comparisons.parity import TOLERANCE

FUSED = "F.scaled_dot_product_attention"
# A saturated softmax makes small gradients as differences of large ones.
_CANCELLED = 1e-2


@dataclass(frozen=True)
class GradientComparison:
    """The largest absolute difference over every element of the gradient of a step, and the one that rounding can
    explain.

    name: the way of computing the gradient, "" for its formula.
    """

    id: str
    difference: float
    bound: float
    name: str = ""

    @property
    def agrees(self) -> bool:
        return self.difference <= self.bound


def against_autograd(found: Backward) -> tuple[GradientComparison, ...]:
    """A comparison for each step whose gradient has a formula, in the order of the backward pass."""
    return tuple(
        GradientComparison(id, found.difference(id), _bound(found, id))
        for id, step in found.by_hand.items()
        if not step.quantity.given
    )


def against_torch(found: Backward) -> tuple[GradientComparison, ...]:
    """The gradients of queries, keys and values that `F.scaled_dot_product_attention` gives for ours of the output.

    Empty where the target does not depend on the output, dropout drew a keep-mask, or the run is a variant.
    """
    trace, gradients = found.forward, found.gradients
    names = ("queries", "keys", "values")
    is_plain = all(chosen is None or chosen is False for chosen in variant(trace).values())
    if "kept" in trace or not is_plain or not {"output", *names} <= set(gradients):
        return ()
    with torch.inference_mode(False), torch.enable_grad():
        leaves = q, k, v = tuple(trace[id].value.clone().requires_grad_(True) for id in names)
        output = F.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=trace["mask"].value.clone() if "mask" in trace else None,
            scale=trace["scale"].value.item() if "scale" in trace else None,
        )
        theirs = torch.autograd.grad(output, leaves, gradients["output"].value.clone())
    differences = ((gradients[id].value - their).abs().max().item() for id, their in zip(names, theirs, strict=True))
    return tuple(
        GradientComparison(id, difference, _bound(found, id), FUSED)
        for id, difference in zip(names, differences, strict=True)
    )


def _bound(found: Backward, id: str) -> float:
    largest = max(step.value.abs().max().item() for step in found.gradients.values())
    return TOLERANCE * max(found.gradients[id].value.abs().max().item(), _CANCELLED * largest)
