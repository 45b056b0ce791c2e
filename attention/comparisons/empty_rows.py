"""The results of libraries for a query that may attend to nothing (a fully masked row).

These are comparisons: attention itself is computed in `attention.functional`.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attention.functional import scaled_dot_product_attention


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
    """With these values an output is the weights themselves."""
    return torch.eye(k.shape[-2], dtype=k.dtype, device=k.device)
