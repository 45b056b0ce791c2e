"""Why 1/sqrt(d_k), line by line: the terms q_i k_i of a dot product, their sum, and the sum divided by sqrt(d_k).

Vaswani et al. 2017, footnote 4: uncorrelated terms of mean 0 and variance 1 have a sum of variance d_k.
"""

import math
from collections.abc import Callable

import pandas as pd
import torch
from torch import Generator, Tensor

from attention import checks
from attention.experiments.dot_products import Pairs
from attention.experiments.running_sums import features_of

LINES = ("term_mean", "term_variance", "term_covariance", "sum_mean", "sum_variance", "scaled_variance")
Progress = Callable[[float], object]


def score_terms(
    pairs: Pairs, d_k: int, samples: int, *, generator: Generator, progress: Progress | None = None
) -> tuple[pd.DataFrame, Tensor]:
    """Measure each line of the derivation on drawn pairs: a row for each of LINES, and the scores (samples,).

    Columns: line; theory; measured; error, its standard error. term_covariance is that of neighbours, q_i k_i and
    q_{i+1} k_{i+1}; d_k = 1 has no neighbours, so measured and error are NaN. ValueError: d_k below 1, samples below 2.
    """
    checks.positive(d_k=d_k)
    checks.at_least(2, samples=samples)
    mean, variance = pairs.mean(1), pairs.variance(1)
    scores = torch.zeros(samples, dtype=torch.float64, device=generator.device)
    chunk, last = min(d_k, features_of(samples)), None
    # For each term: count, sum, and sum of squares.
    sums = {name: torch.zeros(3, dtype=torch.float64, device=generator.device) for name in LINES[:3]}
    for start in range(0, d_k, chunk):
        q, k = (torch.empty(min(chunk, d_k - start), samples, device=generator.device) for _ in range(2))
        pairs.fill(q, k, generator)
        terms = q.mul_(k)
        scores += terms.sum(0)
        off = terms - mean
        joined = off if last is None else torch.cat((last[None], off))
        for name, numbers in zip(LINES[:3], (terms, off.square(), joined[1:] * joined[:-1]), strict=True):
            counted = torch.tensor(float(numbers.numel()), dtype=torch.float64, device=numbers.device)
            of_squares = numbers.square().sum(dtype=torch.float64)
            sums[name] += torch.stack((counted, numbers.sum(dtype=torch.float64), of_squares))
        last = off[-1]
        if progress is not None:
            progress(min(1.0, (start + chunk) / d_k))
    rows = [(name, theory, *_mean(sums[name])) for name, theory in zip(LINES, (mean, variance, 0.0), strict=False)]
    squares = (scores - pairs.mean(d_k)).square()
    spread, error = squares.mean().item(), squares.std().item() / math.sqrt(samples)
    rows.append(("sum_mean", pairs.mean(d_k), scores.mean().item(), scores.std().item() / math.sqrt(samples)))
    rows.append(("sum_variance", pairs.variance(d_k), spread, error))
    rows.append(("scaled_variance", pairs.variance(d_k) / d_k, spread / d_k, error / d_k))
    return pd.DataFrame(rows, columns=["line", "theory", "measured", "error"]), scores.cpu()


def _mean(sums: Tensor) -> tuple[float, float]:
    """The mean of numbers and its standard error; NaN without numbers."""
    count, total, squares = sums.tolist()
    if not count:
        return math.nan, math.nan
    mean = total / count
    return mean, math.sqrt(max(squares / count - mean**2, 0.0) / count)
