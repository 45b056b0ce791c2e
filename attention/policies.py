"""What goes wrong with masks: ways to hide keys that leak, and what libraries answer a query that sees nothing.

None of this is how attention is computed here (that is `attention.functional`); it is what it is compared with.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attention import checks
from attention.functional import scaled_dot_product_attention


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
    """How far one of HIDING lets hidden scores act on what may be seen: the largest change of a weight there when the
    scores (..., keys) become `changed`. ValueError: an unknown way, or an allowed score that changes, too."""
    checks.choice("way", way, HIDING)
    if not torch.equal(scores[allowed], changed[allowed]):
        raise ValueError("changed differs from scores where a key is allowed; only hidden scores may differ")
    hide = HIDING[way]
    return (hide(changed, allowed) - hide(scores, allowed))[allowed].abs().max().item()


def _plain(q: Tensor, k: Tensor) -> Tensor:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~_nothing(q, k), -math.inf).softmax(-1)


def _large_negative(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1]) - 1e9).softmax(-1)


def _fused(q: Tensor, k: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, _unit_values(k), attn_mask=_nothing(q, k))


def _module(q: Tensor, k: Tensor) -> Tensor:
    size = q.shape[-1]
    layer = nn.utils.skip_init(nn.MultiheadAttention, size, 1, bias=False, dtype=q.dtype, device=q.device)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(size).repeat(3, 1))
        layer.out_proj.weight.copy_(torch.eye(size))
        weights: Tensor = layer(q, k, k, attn_mask=~_nothing(q, k))[1]
    return weights


def _ours(q: Tensor, k: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, _unit_values(k), mask=_nothing(q, k))


ANSWERS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "softmax": _plain,
    "large_negative": _large_negative,
    "module": _module,
    "fused": _fused,
    "ours": _ours,
}
"""What a query that may attend to nothing gets, by id: q (queries, d_k) and k (keys, d_k) to weights (queries, keys).

`softmax`: softmax of minus infinities (NaN); `large_negative`: -1e9 added to the scores (uniform over forbidden keys in
float32; in float64 the mask does nothing); `module`: nn.MultiheadAttention that returns its weights (NaN); `fused`:
F.scaled_dot_product_attention (zeros since torch 2.5); `ours`: this package (zeros).
"""


def _nothing(q: Tensor, k: Tensor) -> Tensor:
    return torch.zeros(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device)


def _unit_values(k: Tensor) -> Tensor:
    """Values with which an output is the weights themselves."""
    return torch.eye(k.shape[-2], dtype=k.dtype, device=k.device)
