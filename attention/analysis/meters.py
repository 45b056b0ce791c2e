"""One head's attention in five numbers: the spread of its scores, the sharpness and the sums of its weights."""

from dataclasses import dataclass

import torch
from torch import Tensor

from attention.analysis.sharpness import entropy
from attention.trace import Step, Trace


@dataclass(frozen=True)
class Meters:
    """Measures of one sentence and one head, over the pairs that the mask allows.

    raw, scaled: the standard deviation of the scores before and after scaling. largest: the mean of the largest weight;
    effective: the mean of exp(entropy), a number of keys, without the share of a sink. Both are over the queries that
    may attend to several keys, since a single key always gets all the weight. sums: the smallest and the largest row
    sum of the weights that multiply the values (after dropout, if any), over the queries that attend to something. NaN:
    there is nothing to measure.
    """

    raw: float
    scaled: float
    largest: float
    effective: float
    sums: tuple[float, float]


def meters(trace: Trace, *, batch: int = 0, head: int = 0) -> Meters:
    """Measure a record, on the device of its steps."""
    weights = trace["weights"].of(batch=batch, head=head)
    allowed = _allowed(trace["mask"], batch, head) if "mask" in trace else torch.ones_like(weights, dtype=torch.bool)
    rows = weights[allowed.sum(-1) > 1]
    used = trace["dropped" if "dropped" in trace else "weights"].of(batch=batch, head=head)
    sums = used[weights.any(-1)].sum(-1)
    raw, scaled = (_spread(trace[id].of(batch=batch, head=head)[allowed]) for id in ("scores", "scaled"))
    return Meters(
        raw,
        scaled,
        rows.max().item() if len(rows) else torch.nan,
        entropy(rows / rows.sum(-1, keepdim=True) if "sink" in trace else rows).exp().mean().item(),
        (sums.min().item(), sums.max().item()) if len(sums) else (torch.nan, torch.nan),
    )


def _allowed(mask: Step, batch: int, head: int) -> Tensor:
    """Bool, True where a boolean mask is True, or an additive mask is finite."""
    value = mask.of(batch=batch, head=head)
    return value if value.dtype == torch.bool else value > -torch.inf


def _spread(scores: Tensor) -> float:
    return scores.std(correction=0).item() if len(scores) else torch.nan
