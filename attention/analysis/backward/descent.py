"""Changes along a gradient: every parameter of a module, by one step of descent, or some scores, by hand."""

import copy
from dataclasses import dataclass

import torch
from torch import Tensor

from attention import checks
from attention.analysis.backward.graph import recorded
from attention.analysis.backward.targets import Target
from attention.modules import MultiHeadAttention
from attention.trace import Trace


@dataclass(frozen=True, eq=False)
class Descent:
    """The module after a step, and the record of the same inputs through it, with the same mask, scale and keep-mask.

    number: the target before the step.
    """

    module: MultiHeadAttention
    trace: Trace
    number: float


def descend(trace: Trace, target: Target, module: MultiHeadAttention, rate: float) -> Descent:
    """Take one step, w <- w - rate * dw, and run the module again (`torch.optim.SGD` takes the same step).

    trace: a record of the module with its present parameters. Neither is changed; the inputs stay as they are, and so
    does a parameter that the number does not depend on. ValueError: a rate that is not above 0; a target as
    `attention.analysis.backward.backward` refuses it.
    """
    checks.above_zero("rate", rate)
    run = recorded(trace, module)
    live = run.live(target.id)
    with torch.inference_mode(False), torch.enable_grad():
        number = target.of(run[target.id], live)
        found = torch.autograd.grad(number, list(run.parameters.values()), allow_unused=True)
    with torch.inference_mode(False), torch.no_grad():
        moved = copy.deepcopy(module)
        for name, gradient in zip(run.parameters, found, strict=True):
            if gradient is not None:
                moved.get_parameter(name).sub_(rate * gradient)
    return Descent(moved, _plain(recorded(trace, moved), trace), number.item())


def nudged(trace: Trace, module: MultiHeadAttention, added: Tensor) -> Trace:
    """The record of the same inputs through the module with `added`, which broadcasts to the scores, added to the input
    of softmax: a score is pushed by hand, and no parameter changes. Neither the record nor the module is changed."""
    with torch.inference_mode(False), torch.no_grad():
        return _plain(recorded(trace, module, added), trace)


def _plain(run: Trace, like: Trace) -> Trace:
    """A record without its graph, of the same kind as another one."""
    made = like.empty()
    for step in run.values():
        made.record(step.quantity, step.value)
    return made
