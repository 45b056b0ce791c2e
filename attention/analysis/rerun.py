"""Recompute attention from a recorded trace, with some inputs replaced."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Generator, Tensor

from attention import notation as n
from attention.cache import Cache
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
    wanted: Iterable[str] | None = None,
    **changed: Any,
) -> Trace:
    """Compute attention again from a record and return the new record; without dropout unless p is given.

    None takes the recorded value, and the keywords of a variant stay. wanted: the ids of the steps in the new record,
    None for all. changed: other keywords of `scaled_dot_product_attention`, in place of the recorded ones. ValueError:
    sizes that do not fit.
    """
    given = {"queries": queries, "keys": keys, "values": values}
    parts = [trace[name].value if part is None else part for name, part in given.items()]
    Q, K, V = (part if dtype is None else part.to(dtype) for part in parts)
    if mask is None and "mask" in trace:
        mask = trace["mask"].value
    if scale is None and "scale" in trace:
        scale = trace["scale"].value.item()
    second = trace.empty()
    if wanted is not None:
        second.keep_only(wanted)
    scaled_dot_product_attention(
        Q,
        K,
        V,
        **_converted(variant(trace), dtype) | changed,
        mask=mask,
        scale=scale,
        dropout=dropout,
        generator=generator,
        trace=second,
    )
    return second


def variant(trace: Trace) -> dict[str, Any]:
    """The keywords of `scaled_dot_product_attention` behind a record, except mask, scale and dropout.

    A past is copied, since a run appends to its cache.
    """

    def given(id: str) -> Tensor | None:
        return trace[id].value if id in trace else None

    chosen: dict[str, Any] = {
        "qk_norm": (trace["g_q"].value, trace["g_k"].value) if "g_q" in trace else "queries_normed" in trace,
        "rotary": given("frequencies"),
        "positions": given("query_positions"),
        "key_positions": given("key_positions"),
        "enable_gqa": "kv_head" in trace.sizes,
        "past": Cache(given("past_keys"), given("past_values")) if "past_keys" in trace else None,
        "softcap": trace["softcap"].value.item() if "softcap" in trace else None,
        "slopes": given("slopes"),
        "sink": given("sink"),
        "difference": given("lambda"),
        "gate": given("gate"),
    }
    if "queries_rotated" in trace:
        neighbours = n.interleaved(n.QUERIES_ROTATED)
        chosen["interleaved"] = trace["queries_rotated"].quantity in (neighbours, n.partial(neighbours))
    return chosen


def _converted(chosen: dict[str, Any], dtype: torch.dtype | None) -> dict[str, Any]:
    """The keywords with gains and cache in a dtype, as the queries are; angles and slopes keep their own dtype."""
    if dtype is None:
        return chosen
    if isinstance(chosen["qk_norm"], tuple):
        chosen["qk_norm"] = tuple(gain.to(dtype) for gain in chosen["qk_norm"])
    if chosen["gate"] is not None:
        chosen["gate"] = chosen["gate"].to(dtype)
    if chosen["past"] is not None:
        chosen["past"] = Cache(chosen["past"].keys.to(dtype), chosen["past"].values.to(dtype))
    return chosen
