"""Four questions about the numbers of a sheet, each answered from its record."""

from dataclasses import dataclass

import torch
from torch import Tensor

from attention.export.worksheet import Sheet
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace

DROPOUT, HEADS = 0.5, 2


@dataclass(frozen=True)
class Answers:
    """The answers. query: the row (from 0) of the first question; scaled_first (keys,): its scores if the query is
    divided by the root of d_k before its product with the keys; kept (d_v,): the output of the first token if dropout
    keeps its only visible key; shape: of the output of a fully masked sentence; softmax (keys,): the weights of a fully
    masked row; columns: the columns of W_Q, from 0, of the second of HEADS heads."""

    query: int
    scaled_first: Tensor
    kept: Tensor
    shape: tuple[int, int]
    softmax: Tensor
    columns: range


def answers(sheet: Sheet) -> Answers:
    """The answers to the questions about a sheet."""
    trace, query, first = sheet.trace, sheet.worked or 0, Trace()
    q, k, v = (trace[id].value for id in ("queries", "keys", "values"))
    n, d_k = trace.sizes["query"], trace.sizes["feature"]
    scaled_dot_product_attention(q / d_k**0.5, k, v, scale=1.0, trace=first)
    # The first token alone, its weight kept and so divided by 1 - p.
    kept = scaled_dot_product_attention(q[..., :1, :], k[..., :1, :], v[..., :1, :]).flatten() / (1 - DROPOUT)
    hidden = torch.full((n,), -torch.inf, dtype=torch.float64).softmax(-1)
    width = d_k // HEADS
    shape = (n, trace.sizes["value"])
    return Answers(query, first["scaled"].of()[query], kept, shape, hidden, range(width, 2 * width))
