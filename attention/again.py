"""The queries, keys and values of a record through the one implementation once more, with something changed."""

import torch
from torch import Tensor

from attention.functional import scaled_dot_product_attention
from attention.trace import Trace

_PARTS = ("queries", "keys", "values")


def again(
    trace: Trace,
    *,
    mask: Tensor | None = None,
    scale: float | None = None,
    dtype: torch.dtype | None = None,
    **changed: Tensor,
) -> Trace:
    """The record of the second run, without dropout.

    mask, scale: None takes those of the record; dtype: None takes that of the record; changed: `queries`, `keys` or
    `values` in place of the recorded ones.
    ValueError: another name among the changed, or sizes that do not fit, as `scaled_dot_product_attention` says.
    """
    if unknown := set(changed) - set(_PARTS):
        raise ValueError(f"unknown part {', '.join(sorted(unknown))}; one of {', '.join(_PARTS)}")
    parts = [changed.get(name, trace[name].value) for name in _PARTS]
    if mask is None and "mask" in trace:
        mask = trace["mask"].value
    if scale is None and "scale" in trace:
        scale = trace["scale"].value.item()
    second = Trace()
    scaled_dot_product_attention(
        *(part if dtype is None else part.to(dtype) for part in parts), mask=mask, scale=scale, trace=second
    )
    return second
