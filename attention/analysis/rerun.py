"""Recompute attention from a recorded trace, with some inputs replaced."""

import torch
from torch import Generator, Tensor

from attention.functional import scaled_dot_product_attention
from attention.trace import Trace


def rerun(
    trace: Trace,
    *,
    mask: Tensor | None = None,
    scale: float | None = None,
    dtype: torch.dtype | None = None,
    queries: Tensor | None = None,
    keys: Tensor | None = None,
    values: Tensor | None = None,
    dropout: float = 0.0,
    generator: Generator | None = None,
) -> Trace:
    """Compute attention once more and return its record, without dropout unless it is asked for.

    None takes what is recorded. ValueError: sizes that do not fit, as `scaled_dot_product_attention` says.
    """
    given = {"queries": queries, "keys": keys, "values": values}
    parts = [trace[name].value if part is None else part for name, part in given.items()]
    if mask is None and "mask" in trace:
        mask = trace["mask"].value
    if scale is None and "scale" in trace:
        scale = trace["scale"].value.item()
    second = Trace()
    scaled_dot_product_attention(
        *(part if dtype is None else part.to(dtype) for part in parts),
        mask=mask,
        scale=scale,
        dropout=dropout,
        generator=generator,
        trace=second,
    )
    return second
