"""Three measures of the importance of a key for an output: its weight, the vector that it adds, the output without it.

A weight alone does not measure importance: it multiplies a value, which may be short (Kobayashi et al. 2020, "Attention
is Not Only a Weight", equation 6).
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from attention.analysis.rerun import rerun
from attention.trace import Trace


@dataclass(frozen=True)
class Importance:
    """The keys (keys,) of one query of one head, in float64 on the CPU.

    weight: a_ij; brought: a_ij |v_j W_O|, the length of the key's contribution to the output of the head; hidden: how
    far that output moves, |o' W_O - o W_O|, when the key is hidden from the query and the other keys get its weight.
    """

    weight: Tensor
    brought: Tensor
    hidden: Tensor


def importance(trace: Trace, query: int, *, batch: int = 0, head: int = 0) -> Importance:
    """Measure the keys of a query (from 0), of a record with W_O. A key that the query does not see has zeros.

    ValueError: no such query.
    """
    weights, values, output = (
        trace[id].of(batch=batch, head=head).cpu().double() for id in ("weights", "values", "output")
    )
    queries, keys = weights.shape
    if not 0 <= query < queries:
        raise ValueError(f"query must lie between 0 and {queries - 1}, got {query}")
    d_v = values.shape[-1]
    w_o = trace["w_o"].value[head * d_v : (head + 1) * d_v].cpu().double()
    weight = weights[query]
    brought = weight * (values @ w_o).norm(dim=-1)
    moved = torch.stack([_without(trace, query, key, batch, head) for key in range(keys)])
    hidden = ((moved - output[query]) @ w_o).norm(dim=-1)
    return Importance(weight, brought, torch.where(weight > 0, hidden, 0.0))


def _without(trace: Trace, query: int, key: int, batch: int, head: int) -> Tensor:
    """The output of a query when a key is hidden from it, by the one implementation."""
    scores = trace["scores"].value
    seen = trace["mask"].value.clone() if "mask" in trace else torch.ones_like(scores, dtype=torch.bool)
    seen[..., query, key] = False
    return rerun(trace, mask=seen)["output"].of(batch=batch, head=head)[query].cpu().double()


def value_lengths(trace: Trace) -> Tensor:
    """The length of each head's values after W_O, |v_j W_O|: (batch, head, key), the contribution of a weight of 1."""
    output, values, w_o = (trace[id].value for id in ("output", "values", "w_o"))
    heads, d_v = output.shape[-3], output.shape[-1]
    shared: Tensor = values.repeat_interleave(heads // values.shape[-3], -3)
    lengths: Tensor = (shared @ w_o.unflatten(0, (heads, d_v))).norm(dim=-1)
    return lengths


def score_variance(trace: Trace) -> Tensor:
    """The variance of each head's scaled scores over the pairs that the mask allows: (batch, head).

    Scaling by 1/sqrt(d_k) gives 1 for independent components of unit variance (Vaswani et al. 2017, section 3.2.1).
    """
    scaled = trace["scaled"].value.double()
    seen = trace["mask"].value if "mask" in trace else torch.ones_like(scaled, dtype=torch.bool)
    count = seen.sum((-2, -1))
    mean = (scaled * seen).sum((-2, -1)) / count
    return ((scaled - mean[..., None, None]).square() * seen).sum((-2, -1)) / count
