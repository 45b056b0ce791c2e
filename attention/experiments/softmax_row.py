"""Rows of scores and weights at every d_k, from the same queries and keys, over more and more of their features."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import torch
from torch import Generator, Tensor

from attention import checks
from attention.analysis.sharpness import FROZEN
from attention.experiments.dot_products import Pairs
from attention.experiments.running_sums import Progress, features_of, running_sums
from attention.functional import scaled_dot_product_attention
from attention.scales import factor
from attention.trace import Trace


def softmax_row(
    pairs: Pairs, d_ks: Sequence[int], keys: int = 16, *, generator: Generator, scales: Sequence[str]
) -> pd.DataFrame:
    """The weights that one query gives to independent keys at each d_k, for each scale: softmax of `row_scores`.

    Columns: scale, d_k, key (from 1), score (scaled) and weight. ValueError: an unknown scale, and as `row_scores`.
    """
    tables = []
    for d_k, column in zip(d_ks, row_scores(pairs, d_ks, keys, generator=generator)[..., None], strict=True):
        for scale in scales:
            trace = Trace()
            # Attention over one feature: the query is 1, a key its score.
            scaled_dot_product_attention(
                torch.ones_like(column[:1]), column, column, scale=factor(scale, d_k), trace=trace
            )
            scores, weights = (trace[id].value[0].cpu().double().numpy() for id in ("scaled", "weights"))
            columns = {"key": range(1, keys + 1), "score": scores, "weight": weights}
            tables.append(pd.DataFrame({"scale": scale, "d_k": d_k} | columns))
    return pd.concat(tables, ignore_index=True)


def row_scores(pairs: Pairs, d_ks: Sequence[int], keys: int, *, generator: Generator) -> Tensor:
    """(len(d_ks), keys): the raw scores of one query with independent keys, over their first d_k features.

    Other d_ks see the same numbers. A correlation of the pairs is not used: at most one of the keys could have it.
    ValueError: keys below 1, d_ks that do not ascend from at least 1.
    """
    checks.positive(keys=keys)
    checks.ascending("d_ks", d_ks)
    apart, features = replace(pairs, correlation=0.0), features_of(keys)

    def draw() -> tuple[Tensor, Tensor]:
        q, k = (torch.empty(features, count, device=generator.device) for count in (1, keys))
        apart.fill(q, k, generator)
        return q, k

    return torch.stack([scores for _, scores in running_sums(draw, _scores, d_ks, features)])


def ranked_weights(
    pairs: Pairs,
    d_ks: Sequence[int],
    keys: int = 16,
    rows: int = 500,
    *,
    generator: Generator,
    scales: Sequence[str],
    progress: Progress | None = None,
) -> pd.DataFrame:
    """The weights of `rows` queries, each with independent keys of its own: sorted in each row, then averaged.

    Columns: scale, d_k, place (1: the largest of a row), weight, its mean, and error, the standard error of that;
    frozen, the share of the rows in which it exceeds FROZEN. One draw serves all d_ks and scales; a correlation of the
    pairs is not used, as in `row_scores`. progress: called with the share that is done; raise there to stop.
    ValueError: an unknown scale, keys below 1, rows below 2, d_ks that do not ascend from at least 1.
    """
    checks.positive(keys=keys)
    checks.at_least(2, rows=rows)
    apart, features = replace(pairs, correlation=0.0), features_of(rows * keys)

    def draw() -> tuple[Tensor, Tensor]:
        q, k = (torch.empty(features, rows, count, device=generator.device) for count in (1, keys))
        apart.fill(q, k, generator)
        return q, k

    tables = []
    for d_k, scores in running_sums(draw, _scores, d_ks, features, progress):
        for scale in scales:
            trace, key = Trace(), scores[..., None]
            # As above: each score is a key of one feature.
            scaled_dot_product_attention(torch.ones_like(key[:, :1]), key, key, scale=factor(scale, d_k), trace=trace)
            weights = trace["weights"].value[:, 0].double().sort(-1, descending=True).values
            columns = {
                "place": range(1, keys + 1),
                "weight": weights.mean(0).tolist(),
                "error": (weights.std(0) / rows**0.5).tolist(),
                "frozen": (weights > FROZEN).double().mean(0).tolist(),
            }
            tables.append(pd.DataFrame({"scale": scale, "d_k": d_k} | columns))
    return pd.concat(tables, ignore_index=True)


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return (q * k).sum(0)
