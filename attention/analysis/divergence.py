"""The distance between the weights of two runs, row by row: total variation, and relative entropy in nats.

A row of weights is a distribution over the keys, unless its query may attend to nothing. A row of zeros is not a
distribution, so both measures are undefined there (NaN), even where both rows are zeros. Under a sink it is one over
the keys and the sink, which then counts as one more key.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from attention.analysis.rerun import rerun
from attention.trace import Trace


@dataclass(frozen=True)
class Rows:
    """Two matrices of weights a and b (query, key) in float64, compared row by row.

    sink: whether the last column is the share of a sink, which one of them may lack. total_variation (query,): from 0
    to 1; relative_entropy (query,): of b from a, in nats, from 0 to infinity; both NaN where a row of either is empty.
    """

    a: Tensor
    b: Tensor
    sink: bool = False

    @property
    def total_variation(self) -> Tensor:
        return total_variation(self.a, self.b)

    @property
    def relative_entropy(self) -> Tensor:
        return relative_entropy(self.b, self.a)

    @property
    def beyond(self) -> Tensor:
        """Bool (query, key), True where b has weight and a has none, which makes the relative entropy infinite."""
        return (self.b > 0) & (self.a == 0) & ~undefined(self.a, self.b).unsqueeze(-1)


def rows(a: Trace, b: Trace, *, a_at: tuple[int, int] = (0, 0), b_at: tuple[int, int] = (0, 0)) -> Rows:
    """The weights of one sentence and one head of each record, from the recorded queries and keys in float64.

    a_at, b_at: sentence and head, from 0. Dropout is left out, since a row after dropout is not a distribution. In
    float32 a weight is 0 once its score is 104 below the largest, which would make a large divergence infinite; in
    float64 this takes 745. ValueError: different numbers of queries or keys.
    """
    left, right = (_weights(trace, *at) for trace, at in ((a, a_at), (b, b_at)))
    if left.shape != right.shape:
        raise ValueError(f"weights must have the same shape, got {tuple(left.shape)} and {tuple(right.shape)}")
    if "sink" in a or "sink" in b:
        return Rows(shares(a, left), shares(b, right), sink=True)
    return Rows(left, right)


def shares(trace: Trace, weights: Tensor) -> Tensor:
    """Weights (..., key) of a record with the share of its sink as one more key: (..., key + 1). The share is 0 without
    a sink, and for a query that may attend to nothing."""
    rest = (1 - weights.sum(-1, keepdim=True)).clamp_min(0) if "sink" in trace else torch.zeros_like(weights[..., :1])
    return torch.cat((weights, rest * weights.any(-1, keepdim=True)), -1)


def total_variation(a: Tensor, b: Tensor) -> Tensor:
    """1/2 sum_j |a_j - b_j| of weights (..., keys): (...), the weight that must move to turn one row into the other.

    Levin, Peres and Wilmer 2009, "Markov Chains and Mixing Times", proposition 4.2. NaN where a row is empty.
    """
    return ((a - b).abs().sum(-1) / 2).masked_fill(undefined(a, b), torch.nan)


def relative_entropy(p: Tensor, q: Tensor) -> Tensor:
    """The Kullback-Leibler divergence D(p || q) = sum_j p_j ln(p_j / q_j) of weights (..., keys), in nats: (...).

    A key without weight in p adds nothing; one that p attends to and q does not makes it infinite (Cover and Thomas
    2006, "Elements of Information Theory", section 2.3). Not symmetric. NaN where a row is empty.
    """
    # A true value is never negative; a sum of rounded terms may be.
    summed = torch.where(p > 0, p * (p.log() - q.log()), 0).sum(-1).clamp_min(0)
    return summed.masked_fill(undefined(p, q), torch.nan)


def undefined(a: Tensor, b: Tensor) -> Tensor:
    """Bool (...), True where a row (..., keys) of a or of b attends to nothing, and so is not a distribution."""
    return ~(a.any(-1) & b.any(-1))


def _weights(trace: Trace, batch: int, head: int) -> Tensor:
    """The weights of one sentence and one head, computed on the CPU, since not every device has float64."""
    here = Trace()
    for step in trace.values():
        here.record(step.quantity, step.value.cpu())
    return rerun(here, dtype=torch.float64)["weights"].of(batch=batch, head=head)
