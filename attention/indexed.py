"""Attention to keys that an index chooses: a mask made from the data (DeepSeek-V3.2, 2025, arXiv 2512.02556).

A small scorer, the index, gives each pair of a query and a key a score I. Each query keeps the k keys of the largest
scores among those that a mask permits, and all heads of attention attend to these alone.
"""

import math

import torch
from torch import Tensor

from attention import checks, tensor_checks
from attention import index_notation as x
from attention.arguments import as_tensor
from attention.functional import scaled_dot_product_attention
from attention.masks import Mask
from attention.trace import Trace, recorder


def indexed_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    index_query: Tensor,
    index_key: Tensor,
    index_weight: Tensor,
    keep: int,
    *,
    mask: Tensor | Mask | str | None = "causal",
    scale: float | None = None,
    trace: Trace | None = None,
) -> Tensor:
    """Attention of each query to its `keep` keys, (..., H, L, d_v), each step recorded.

    query (..., H, L, d_k), key (..., H, S, d_k), value (..., H, S, d_v), scale: as in `scaled_dot_product_attention`.
    index_query (..., H_I, L, d_I), index_key (..., S, d_I), index_weight (..., H_I, L): the index score of query i and
    key j is sum_h w_hi ReLU(q_hi . k_j) / sqrt(H_I d_I). The factor, that of transformers, changes no choice.
    keep: how many keys a query keeps; it keeps all where the mask permits fewer. Of equal scores, the first keys are
    kept.
    mask: bool, True = may attend, broadcasts to (..., L, S), the same for all heads; or a name in `MASKS`.
    The choice hands no gradient back to the index. (DeepSeek trains the index by a loss of its own: the divergence of
    its softmax from the weights, summed over the heads.)
    ValueError: an argument that does not fit; the message names it with both numbers.
    """
    tensor_checks.attention_inputs(query, key, value)
    checks.kinds(Trace, trace=trace)
    checks.positive(keep=keep)
    _check(query, key, index_query, index_key, index_weight)
    t = recorder(trace)
    Q_I, K_I, w_I = t(x.INDEX_QUERIES, index_query), t(x.INDEX_KEYS, index_key), t(x.INDEX_WEIGHTS, index_weight)
    R = t(x.INDEX_PRODUCTS, (Q_I @ K_I.unsqueeze(-3).mT).relu())
    I = t(x.INDEX_SCORES, (w_I[..., None] * R).sum(-3) / math.sqrt(R.shape[-3] * Q_I.shape[-1]))
    P = t(x.PERMITTED, _permitted(mask, query, I))
    t(x.KEEP, torch.tensor(keep, dtype=torch.float64))
    ranks = I.masked_fill(~P, -math.inf).argsort(dim=-1, descending=True, stable=True).argsort(-1)
    C = t(x.CHOICE, ranks < keep)
    M = t(x.MASK_CHOSEN, (C & P).unsqueeze(-3))
    return scaled_dot_product_attention(query, key, value, mask=M, scale=scale, trace=trace)


def _permitted(mask: Tensor | Mask | str | None, query: Tensor, scores: Tensor) -> Tensor:
    """The permitted pairs, bool in the shape of the index scores (..., L, S)."""
    given = as_tensor(mask, query, scores.shape[-1], cached=False)
    if given is None:
        return torch.ones(scores.shape, dtype=torch.bool, device=scores.device)
    if given.dtype != torch.bool:
        raise ValueError(f"mask has dtype {str(given.dtype).removeprefix('torch.')}; bool (True = may attend)")
    try:
        return given.expand(scores.shape)
    except RuntimeError:
        shapes = f"{tuple(given.shape)} does not expand to the index scores {tuple(scores.shape)}"
        raise ValueError(f"mask {shapes}; it is the same for all heads") from None


def _check(query: Tensor, key: Tensor, index_query: Tensor, index_key: Tensor, index_weight: Tensor) -> None:
    named = {"index_query": index_query, "index_key": index_key, "index_weight": index_weight}
    checks.kinds(Tensor, **named)
    tensor_checks.same_kind({"query": query, **named})
    for name, tensor, least in (("query", query, 3), *zip(named, named.values(), (3, 2, 2), strict=True)):
        if tensor.ndim < least:
            raise ValueError(f"{name} needs at least {least} axes, got shape {tuple(tensor.shape)}")
    heads, queries, features = index_query.shape[-3:]
    for name, found, wanted in (
        ("index_query", (queries,), (query.shape[-2],)),
        ("index_key", tuple(index_key.shape[-2:]), (key.shape[-2], features)),
        ("index_weight", tuple(index_weight.shape[-2:]), (heads, queries)),
    ):
        if found != wanted:
            axes = {
                "index_query": "queries",
                "index_key": "(keys, index features)",
                "index_weight": "(index heads, queries)",
            }
            raise ValueError(f"{name} needs {axes[name]} {_plain(wanted)}, got {_plain(found)}")
    lead = torch.broadcast_shapes(index_query.shape[:-3], index_key.shape[:-2], index_weight.shape[:-2])
    if lead != query.shape[:-3]:
        raise ValueError(f"the leading axes of the index are {tuple(lead)}, those of query {tuple(query.shape[:-3])}")


def _plain(sizes: tuple[int, ...]) -> str:
    return str(sizes[0]) if len(sizes) == 1 else str(sizes)
