"""Recompute attention from a recorded trace, with some inputs replaced."""

from typing import Any

import torch
from torch import Generator, Tensor

from attention import notation as n
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

    None takes what is recorded, and what makes the run a variant stays. ValueError: sizes that do not fit, as
    `scaled_dot_product_attention` says.
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
        **variant(trace),
        mask=mask,
        scale=scale,
        dropout=dropout,
        generator=generator,
        trace=second,
    )
    return second


def variant(trace: Trace) -> dict[str, Any]:
    """The keywords of `scaled_dot_product_attention` that a record was made with, but mask, scale and dropout."""
    chosen: dict[str, Any] = {"enable_gqa": "kv_head" in trace.sizes}
    if "queries_rotated" in trace:
        chosen |= {
            "rotary": trace["frequencies"].value,
            "interleaved": trace["queries_rotated"].quantity == n.interleaved(n.QUERIES_ROTATED),
            "positions": trace["query_positions"].value,
            "key_positions": trace["key_positions"].value,
        }
    return chosen
