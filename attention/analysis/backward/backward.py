"""The backward pass from one number: its gradient with respect to every step of a record, by autograd and by hand."""

from dataclasses import dataclass
from functools import cached_property

import torch

from attention.analysis.backward.by_hand import by_hand, given, uses
from attention.analysis.backward.gradients import like, rows
from attention.analysis.backward.graph import recorded
from attention.analysis.backward.targets import Target
from attention.modules import MultiHeadAttention
from attention.trace import Trace


@dataclass(frozen=True, eq=False)
class Backward:
    """A target, its number, and its gradients by step id.

    forward: the record; gradients: the values of autograd, in the order of the record, each with the row of its formula
    (`attention.analysis.backward.rules`); that of the target's own step is a given. fixed: steps without a gradient,
    such as positions and masks.
    """

    target: Target
    number: float
    forward: Trace
    gradients: Trace
    fixed: frozenset[str] = frozenset()

    @cached_property
    def by_hand(self) -> Trace:
        """The same gradients, computed by their lines of Python, from the target's step back to the first."""
        return by_hand(self.forward, self.gradients)

    def read_by(self, id: str) -> tuple[str, ...]:
        """The steps that read a step, whose gradients make its own gradient; () for the target's step."""
        return () if id == self.target.id else tuple(use.by for use in uses(self.forward, id, self.gradients))

    def difference(self, id: str) -> float:
        """The largest absolute difference between the gradient of a step by autograd and by hand."""
        return (self.by_hand[id].value - self.gradients[id].value).abs().max().item()


def backward(trace: Trace, target: Target, module: MultiHeadAttention | None = None) -> Backward:
    """Differentiate a number of a record with respect to every step that it depends on.

    module: the one that made the record, with the parameters that it had; None for a record of the function alone.
    Steps without a gradient are left out: boolean masks, the scale, the probability of dropout, and steps that the
    target does not depend on. ValueError: a target whose step is missing or has no gradient, or a cell outside its
    step; a record of a module without the module.
    """
    if target.id not in trace:
        raise ValueError(f"no step {target.id!r} in this trace; it has {', '.join(trace)}")
    run = recorded(trace, module)
    live = run.live(target.id)
    if not live.requires_grad:
        raise ValueError(f"step {target.id!r} has no gradient: it is {str(live.dtype).removeprefix('torch.')}")
    with torch.inference_mode(False), torch.enable_grad():
        number = target.of(run[target.id], live)
        found = run.differentiate(number)
    gradients = like(trace)
    for id, step in rows(run, found).items():
        gradients.record(given(trace[id].quantity) if id == target.id else step.quantity, step.value)
    fixed = frozenset(id for id in run if not run.live(id).requires_grad)
    return Backward(target, number.item(), trace, gradients, fixed)
