"""Dropout on attention weights over many draws: the mean, and the deviation of single draws from it.

With probability p a weight a becomes 0, else a / (1 - p) (Srivastava et al. 2014, inverted): its mean is a, its
variance a^2 p / (1 - p). Keep-masks are independent, so variances and fourth cumulants of a row add up.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
import torch
from torch import Generator, Tensor

from attention import checks
from attention.analysis.rerun import rerun
from attention.experiments.running_sums import Progress, features_of, log_steps, running_sums
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace


@dataclass(frozen=True)
class Draws:
    """Keep-masks drawn for one matrix of weights, on the CPU, in float64.

    weights (queries, keys), which inference uses; counts: the numbers of draws after which the running mean was taken,
    the last is all of them; means (len(counts), queries, keys); sums (draws, queries), the row sums of each draw.
    """

    p: float
    weights: Tensor
    counts: tuple[int, ...]
    means: Tensor
    sums: Tensor

    def errors(self) -> Tensor:
        """The standard errors of `means` by theory, a sqrt(p / (1 - p) / draws): the shape of means."""
        draws = torch.tensor(self.counts, dtype=torch.float64)[:, None, None]
        return self.weights * (self.p / (1 - self.p) / draws).sqrt()


def draw(
    trace: Trace,
    draws: int,
    *,
    p: float,
    generator: Generator,
    batch: int = 0,
    head: int = 0,
    progress: Progress | None = None,
) -> Draws:
    """Attend `draws` times with dropout p, with the recorded queries, keys, mask and scale of a sentence and a head.

    More draws begin with the same ones. progress: called with the share that is done (0 to 1); raise there to stop.
    ValueError: draws below 2, p outside [0, 1).
    """
    checks.at_least(2, draws=draws)
    if not 0 <= p < 1:
        raise ValueError(f"p must be at least 0 and below 1, got {p}")
    query, key = (_one(trace, id, batch, head) for id in ("queries", "keys"))
    mask = _one(trace, "mask", batch, head) if "mask" in trace else None
    scale = trace["scale"].value.item() if "scale" in trace else None
    # With these values an output is the weights themselves.
    unit = torch.eye(len(key), dtype=key.dtype)
    chunk = min(draws, features_of(len(query) * len(key)))
    many, sums = query.expand(chunk, -1, -1), []

    def attend() -> tuple[Tensor]:
        dropped = scaled_dot_product_attention(many, key, unit, mask=mask, scale=scale, dropout=p, generator=generator)
        sums.append(dropped.sum(-1, dtype=torch.float64))
        return (dropped,)

    counts = log_steps(draws, per_octave=2)
    totals = running_sums(attend, _total, counts, chunk, progress)
    means = torch.stack([total / count for count, total in totals])
    return Draws(p, _one(trace, "weights", batch, head).double(), counts, means, torch.cat(sums)[:draws])


class Rows(NamedTuple):
    """Draws of one query, on the CPU: weights after dropout (draws, heads, keys), outputs (draws, heads, d_v)."""

    taken: Tensor
    outputs: Tensor


def one_by_one(trace: Trace, query: int, generators: Iterable[Generator], *, p: float, batch: int = 0) -> Rows:
    """The weights of a query after dropout p and its outputs, one draw from each generator.

    A generator in the same state as that of a run makes the draw of that run. With p = 0 each draw is the record.
    ValueError: p outside [0, 1).
    """
    taken = "dropped" if p else "weights"
    made = [rerun(trace, dropout=p, generator=each, wanted=(taken, "output")) for each in generators]
    rows = ([each[id].value[batch, :, query].cpu() for each in made] for id in (taken, "output"))
    return Rows(*map(torch.stack, rows))


def _total(dropped: Tensor) -> Tensor:
    return dropped.sum(0, dtype=torch.float64)


def _one(trace: Trace, id: str, batch: int, head: int) -> Tensor:
    step = trace[id]
    value = step.value
    for axis, index in (("batch", batch), ("head", head)):
        if axis in step.axes:
            value = value[min(index, len(value) - 1)]
    return value.cpu()


def row_sums(draws: Draws) -> pd.DataFrame:
    """The row sums compared with theory: one row per query.

    Columns: query; visible, the number of weights above 0; mean and variance (divisor draws - 1) of the row sum, and
    lost, the share of draws in which nothing of the row is kept: each with its _theory (1, or 0 where nothing is
    visible; p / (1 - p) sum a^2; p^visible) and its exact standard error, _error.
    """
    n, p, a = len(draws.sums), draws.p, draws.weights
    visible = (a > 0).sum(-1)
    variance = p / (1 - p) * a.square().sum(-1)
    kept = p * (1 - p)
    cumulant = kept * (1 - 6 * kept) / (1 - p) ** 4 * a.pow(4).sum(-1)
    lost = p ** visible.double()
    columns = {
        "query": torch.arange(len(a)),
        "visible": visible,
        "mean": draws.sums.mean(0),
        "mean_theory": a.sum(-1),
        "mean_error": (variance / n).sqrt(),
        "variance": draws.sums.var(0),
        "variance_theory": variance,
        "variance_error": (cumulant / n + 2 * variance.square() / (n - 1)).clamp_min(0).sqrt(),
        "lost": (draws.sums == 0).double().mean(0),
        "lost_theory": lost,
        "lost_error": (lost * (1 - lost) / n).sqrt(),
    }
    return pd.DataFrame({name: column.tolist() for name, column in columns.items()})


def convergence(draws: Draws) -> pd.DataFrame:
    """The convergence of the running mean to the weights: a row for each of `counts`.

    Columns: draws; distance, the root mean square of mean - weight over the weights above 0, and distance_theory, the
    root of its expected square; largest, the largest difference. All 0 where no weight is above 0.
    """
    visible = draws.weights > 0
    off = (draws.means - draws.weights)[:, visible]
    expected = draws.errors()[:, visible]
    count = max(1, off.shape[1])
    return pd.DataFrame(
        {
            "draws": draws.counts,
            "distance": (off.square().sum(1) / count).sqrt().tolist(),
            "distance_theory": (expected.square().sum(1) / count).sqrt().tolist(),
            "largest": (draws.means - draws.weights).abs().flatten(1).amax(1).tolist(),
        }
    )


def within(draws: Draws, errors: float = 2.0) -> float:
    """The share of the weights above 0 whose mean over all draws lies within `errors` standard errors of them.

    NaN where no weight is above 0.
    """
    visible = draws.weights > 0
    off = (draws.means[-1] - draws.weights).abs()[visible]
    # At p = 0 the only difference is rounding in float32.
    inside = off <= errors * draws.errors()[-1][visible] + torch.finfo(torch.float32).eps
    return float(inside.double().mean()) if len(inside) else math.nan
