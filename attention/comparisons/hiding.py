"""Ways to hide keys: the right one, before the softmax, and mistakes that leak; and the hiding numbers: minus infinity,
-1e9 or the smallest of a dtype.

These are comparisons: attention itself is computed in `attention.functional`.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attention import checks


def _before(scores: Tensor, allowed: Tensor) -> Tensor:
    return scores.masked_fill(~allowed, -math.inf).softmax(-1)


def _zero_before(scores: Tensor, allowed: Tensor) -> Tensor:
    return scores.masked_fill(~allowed, 0).softmax(-1)


def _zero_after(scores: Tensor, allowed: Tensor) -> Tensor:
    return scores.softmax(-1).masked_fill(~allowed, 0)


def _renormalised(scores: Tensor, allowed: Tensor) -> Tensor:
    kept = _zero_after(scores, allowed)
    return kept / kept.sum(-1, keepdim=True)


HIDING: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "before": _before,
    "zero_before": _zero_before,
    "zero_after": _zero_after,
    "renormalised": _renormalised,
}
"""Four ways to hide keys by id: scaled scores (..., keys) and bool allowed (..., keys) to weights (..., keys).

`before`: minus infinity before the softmax; `zero_before`: a score of 0, which leaks exp(0); `zero_after`: weight 0
after the softmax, a row that no longer sums to one and still depends on what is hidden; `renormalised`: the same
divided by its sum, which equals `before`.
"""


def dependence(way: str, scores: Tensor, allowed: Tensor, changed: Tensor) -> float:
    """The dependence of visible weights on hidden scores: the largest change of a visible weight when the scores (...,
    keys) become `changed`. way: one of HIDING. ValueError: an unknown way, or a change of an allowed score."""
    checks.choice("way", way, HIDING)
    if not torch.equal(scores[allowed], changed[allowed]):
        raise ValueError("changed differs from scores where a key is allowed; only hidden scores may differ")
    hide = HIDING[way]
    return (hide(changed, allowed) - hide(scores, allowed))[allowed].abs().max().item()


DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
# Ways to apply a mask: "infinity" and "filled" replace the scores, "added" and "smallest" add to them.
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
        # The expression of common code: (1 - mask) * -1e9, which is -inf in float16.
        return (s + hides.to(dtype) * -1e9).softmax(-1)
    try:
        return s.masked_fill(hides, -1e9).softmax(-1)
    except RuntimeError:
        return None
