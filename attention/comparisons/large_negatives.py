"""Hiding a key with minus infinity, -1e9 or the smallest number of a dtype: where they differ."""

import math

import torch
from torch import Tensor

DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
# How the mask is applied: added to the scores, or in place of them.
WAYS = ("infinity", "added", "filled", "smallest")


def hidden(scores: Tensor, allowed: Tensor, way: str, dtype: torch.dtype) -> Tensor | None:
    """The weights (..., keys) of scaled scores (..., keys) in a dtype, where bool allowed (..., keys) hides the rest.

    way: `infinity` fills -inf, `added` adds -1e9, `filled` fills -1e9, `smallest` adds the smallest finite number of
    the dtype. None: the dtype cannot hold -1e9, and `masked_fill` raises.
    """
    s, hides = scores.to(dtype), ~allowed
    if way == "infinity":
        return s.masked_fill(hides, -math.inf).softmax(-1)
    if way == "smallest":
        return (s + torch.zeros_like(s).masked_fill(hides, torch.finfo(dtype).min)).softmax(-1)
    if way == "added":
        # As it is written in code: (1 - mask) * -1e9, which is -inf in float16.
        return (s + hides.to(dtype) * -1e9).softmax(-1)
    try:
        return s.masked_fill(hides, -1e9).softmax(-1)
    except RuntimeError:
        return None
