"""The gradient of a step by torch alone: the recorded lines of Python from that step on, run as text."""

import math

import torch
from torch import Tensor

from attention import Trace


def by_lines(trace: Trace, id: str, upstream: Tensor) -> Tensor:
    """The gradient of sum(last step * upstream) with respect to the recorded value of a step."""
    namespace = {"math": math, "torch": torch}
    leaf, result = trace[id].value.clone().requires_grad_(True), None
    passed = False
    for step in trace.values():
        name = step.quantity.letter
        if step.id == id:
            namespace[name], passed = leaf, True
        elif step.quantity.given or not passed:
            namespace[name] = step.value
        else:
            exec(step.quantity.code, namespace)
        result = namespace[name]
    (gradient,) = torch.autograd.grad(result, leaf, upstream)
    return gradient
