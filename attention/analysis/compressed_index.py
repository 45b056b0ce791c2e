"""An index that stands in for a trained one: the scores of a layer itself, from fewer features."""

import math

import torch
from torch import Tensor

from attention import checks
from attention.trace import Trace


def compressed_index(trace: Trace, features: int, *, batch: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Queries (H, L, features), keys (S, features) and weights (H, L) of an index, for one sentence of a record.

    The scores of head h are q_h W_K,h^T x_j. From x_j the index keeps the directions (d_context, features) that make up
    most of W_Q,h W_K,h^T over all heads, in the sum of squares (Eckart and Young 1936). Each head of attention is a
    head of the index, with weight 1. DeepSeek trains these numbers; they are computed here, so that any layer has an
    index whose choice can be compared with its weights. Positions that act on queries and keys, and a bias of keys,
    have no part in it. trace: the record of a module. ValueError: a record of the function alone, features below 1 or
    above d_context.
    """
    if "x" not in trace:
        raise ValueError("an index is made from the weights of a module; this record has none")
    checks.positive(features=features)
    source = trace["context" if "context" in trace else "x"].of(batch=batch)
    if features > source.shape[-1]:
        raise ValueError(f"features must be at most d_context {source.shape[-1]}, got {features}")
    queries = trace["queries"].of_heads(trace.sizes["head"], batch=batch)
    w_q, w_k = (trace[id].of_heads(len(queries)).double() for id in ("w_q", "w_k"))
    # The sum over heads of B^T B with B = W_Q W_K^T. Its eigenvectors are directions of B, the most important last.
    _, directions = torch.linalg.eigh((w_k @ (w_q.mT @ w_q) @ w_k.mT).sum(0))
    kept = directions[:, -features:].to(queries)
    return queries @ (w_k.to(queries).mT @ kept), source @ kept, queries.new_ones(queries.shape[:-1])


def kept_by_size(weights: Tensor, scores: Tensor, permitted: Tensor) -> Tensor:
    """The share of the weights on the k keys with the largest scores, for k = 1 to S, as a mean over heads: (L, S).

    weights: (H, L, S), of attention to all permitted keys; scores: (L, S), of an index, or the mean of the weights,
    which keeps the largest possible share; permitted: bool (L, S). Softmax over fewer keys has the same powers over a
    smaller sum, and this share is the part of the sum that is left. Of equal scores, the first keys are kept.
    """
    order = scores.masked_fill(~permitted, -math.inf).argsort(dim=-1, descending=True, stable=True)
    return weights.mean(0).gather(-1, order).cumsum(-1)
