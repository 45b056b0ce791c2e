"""The variance of the scores in a matrix Q K^T: why n by n scores are not n^2 independent samples."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import torch
from torch import Generator, Tensor

from attention import checks
from attention.experiments.dot_products import Pairs
from attention.experiments.running_sums import features_of, running_sums


@dataclass(frozen=True)
class Matrices:
    """variances: float64 (len(d_ks), repeats), the mean square about the known mean of each (queries, keys) matrix."""

    pairs: Pairs
    d_ks: tuple[int, ...]
    queries: int
    keys: int
    variances: Tensor


def matrices(
    pairs: Pairs, d_ks: Sequence[int], queries: int, keys: int, repeats: int = 200, *, generator: Generator
) -> Matrices:
    """Measure the variance of scores in `repeats` matrices Q K^T of independent queries and keys, at each d_k.

    The scores of a matrix share queries and keys, so its variance scatters more than that of as many independent pairs.
    One draw serves every d_k. Memory: some 12 bytes for each of the repeats * queries * keys scores. ValueError: sizes
    below 1, repeats below 2, d_ks that do not ascend, a correlation other than 0.
    """
    checks.positive(queries=queries, keys=keys)
    checks.at_least(2, repeats=repeats)
    pairs.require_uncorrelated()
    features = features_of(repeats * max(queries, keys))

    def draw() -> tuple[Tensor, Tensor]:
        q, k = (torch.empty(features, repeats, n, device=generator.device) for n in (queries, keys))
        pairs.fill(q, k, generator)
        return q, k

    measured = [
        (scores - pairs.mean(d_k)).square().mean((1, 2)) for d_k, scores in running_sums(draw, _outer, d_ks, features)
    ]
    return Matrices(pairs, tuple(d_ks), queries, keys, torch.stack(measured).cpu().double())


def _outer(q: Tensor, k: Tensor) -> Tensor:
    """(features, repeats, queries) and (features, repeats, keys) to (repeats, queries, keys)."""
    return q.permute(1, 2, 0) @ k.permute(1, 0, 2)


def error_bars(matrices: Matrices) -> pd.DataFrame:
    """The scatter of the variance of a matrix, measured and by two formulas: a row for each d_k.

    Columns: d_k; variance, the mean over the matrices; variance_theory; scatter, their standard deviation; naive, the
    standard error of as many independent pairs; exact, that of a matrix; within_naive and within_exact, the share of
    matrices within two such standard errors of the theory (about 0.95 for a right one).
    """
    count = matrices.queries * matrices.keys
    rows = []
    for d_k, measured in zip(matrices.d_ks, matrices.variances, strict=True):
        theory = matrices.pairs.variance(d_k)
        naive = matrices.pairs.standard_error(d_k, count)
        exact = matrices.pairs.matrix_standard_error(d_k, matrices.queries, matrices.keys)
        off = (measured - theory).abs()
        rows.append(
            {
                "d_k": d_k,
                "variance": measured.mean().item(),
                "variance_theory": theory,
                "scatter": measured.std().item(),
                "naive": naive,
                "exact": exact,
                "within_naive": (off <= 2 * naive).double().mean().item(),
                "within_exact": (off <= 2 * exact).double().mean().item(),
            }
        )
    return pd.DataFrame(rows)


def two_by_two(repeats: int = 1000, *, generator: Generator) -> pd.DataFrame:
    """The 2 x 2 experiment, `repeats` times: two queries, two keys, d_k = 2, all entries N(0, 1).

    Column variance: that of the four scores (divisor 3). Its mean is 2, as the theory says, its median about 1.
    ValueError: repeats below 1.
    """
    checks.positive(repeats=repeats)
    q, k = torch.randn(2, repeats, 2, 2, generator=generator, device=generator.device)
    return pd.DataFrame({"variance": (q @ k.mT).flatten(1).var(1).tolist()})
