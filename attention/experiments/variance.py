"""The growth of the variance of q.k with d_k, with exact error bars: tables for a notebook or a page.

The quantity is that of Vaswani et al. 2017, section 3.2.1 and footnote 4. The scores here are dot products of
independent pairs, drawn once for all d_k: attention itself would need a matrix of scores for each d_k, whose entries
are not independent (`attention.experiments.score_matrices` shows the effect on the error bars).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import torch
from torch import Generator, Tensor

from attention import checks
from attention.experiments.dot_products import Pairs
from attention.experiments.running_sums import Progress, features_of, running_sums
from attention.scales import factor

RAW_AND_SCALED = ("none", "sqrt_d_k")


@dataclass(frozen=True)
class Sweep:
    """scores: float32 (len(d_ks), samples), q.k of the same pairs at each d_k, raw."""

    pairs: Pairs
    d_ks: tuple[int, ...]
    scores: Tensor

    def at(self, d_k: int) -> Tensor:
        """The raw scores (samples,) at one d_k. ValueError: a d_k that was not drawn."""
        if d_k not in self.d_ks:
            raise ValueError(f"d_k {d_k} is not in this sweep; one of {', '.join(map(str, self.d_ks))}")
        return self.scores[self.d_ks.index(d_k)]


def sweep(
    pairs: Pairs,
    d_ks: Sequence[int],
    samples: int = 4096,
    *,
    generator: Generator,
    progress: Progress | None = None,
) -> Sweep:
    """Draw `samples` pairs, on the generator's device, and take q.k over their first d_k features for each d_k.

    The draws depend only on the generator, on samples and on the distribution: other d_ks, sigma, mu or correlation use
    the same numbers. progress: called with the share that is done (0 to 1); raise there to stop.
    ValueError: d_ks that do not ascend from at least 1, samples below 1.
    """
    checks.positive(samples=samples)
    features = features_of(samples)
    q, k = (torch.empty(features, samples, device=generator.device) for _ in range(2))

    def draw() -> tuple[Tensor]:
        pairs.fill(q, k, generator)
        return (q.mul_(k),)

    sums = running_sums(draw, _sum, d_ks, features, progress)
    return Sweep(pairs, tuple(d_ks), torch.stack([scores for _, scores in sums]))


def _sum(products: Tensor) -> Tensor:
    return products.sum(0)


def variances(sweep: Sweep, scales: Sequence[str] = RAW_AND_SCALED) -> pd.DataFrame:
    """Measured against theory: a row for each scale and d_k.

    Columns: scale, d_k, mean and variance (divisor samples - 1), each with its _theory and its _error, the exact
    standard error over independent pairs. ValueError: an unknown scale; fewer than 2 samples.
    """
    samples = sweep.scores.shape[1]
    checks.at_least(2, samples=samples)
    scores = sweep.scores.cpu().double()
    means, measured = scores.mean(1).tolist(), scores.var(1).tolist()
    rows = []
    for scale in scales:
        for d_k, mean, variance in zip(sweep.d_ks, means, measured, strict=True):
            c, theory = factor(scale, d_k), sweep.pairs.variance(d_k)
            rows.append(
                {
                    "scale": scale,
                    "d_k": d_k,
                    "mean": c * mean,
                    "mean_theory": c * sweep.pairs.mean(d_k),
                    "mean_error": c * math.sqrt(theory / samples),
                    "variance": c**2 * variance,
                    "variance_theory": c**2 * theory,
                    "variance_error": c**2 * sweep.pairs.standard_error(d_k, samples),
                }
            )
    return pd.DataFrame(rows)


def histograms(sweep: Sweep, d_k: int, bins: int = 120, scales: Sequence[str] = RAW_AND_SCALED) -> pd.DataFrame:
    """The frequency of scores between `left` and `right`: a column for each scale, on bins that they share.

    The bins cover all scores. ValueError: a d_k that was not drawn, bins below 1.
    """
    checks.positive(bins=bins)
    scores = {scale: sweep.at(d_k) * factor(scale, d_k) for scale in scales}
    low = min(one.min().item() for one in scores.values())
    high = max(one.max().item() for one in scores.values())
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = torch.linspace(low, high, bins + 1, dtype=torch.float64).tolist()
    counts = {scale: torch.histc(one, bins, low, high).long().tolist() for scale, one in scores.items()}
    return pd.DataFrame({"left": edges[:-1], "right": edges[1:], **counts})
