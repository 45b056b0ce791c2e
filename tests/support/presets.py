"""A preset through its module, and its numbers as a source prints them."""

import torch

from attention import Trace
from attention.inputs.presets import Prepared
from attention.masks import grid


def traced(prepared: Prepared, mask: str = "full", scale: float | None = None) -> Trace:
    trace = Trace()
    x = prepared.inputs.x.to(prepared.module.w_q.dtype)
    n = x.shape[-2]
    allowed = None if mask == "full" else grid(mask, n, n)
    prepared.module(x, mask=allowed, scale=scale, trace=trace)
    return trace


def rows(step: str, trace: Trace) -> torch.Tensor:
    """The matrix of a step of the single sentence and, if it has heads, of the single head."""
    value = trace[step].value
    return value.reshape(value.shape[-2:])


def written(values: torch.Tensor, digits: str) -> list[list[str]]:
    return [[f"{number:{digits}}" for number in row] for row in values.tolist()]


def split(printed: str) -> list[list[str]]:
    return [line.split() for line in printed.strip().splitlines()]
