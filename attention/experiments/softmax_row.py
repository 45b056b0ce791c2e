"""One row of weights at every d_k: the same query and keys, with more and more of their features."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import torch
from torch import Generator, Tensor

from attention import checks
from attention.experiments.dot_products import Pairs
from attention.experiments.running_sums import features_of, running_sums
from attention.functional import scaled_dot_product_attention
from attention.scales import factor
from attention.trace import Trace


def softmax_row(
    pairs: Pairs, d_ks: Sequence[int], keys: int = 16, *, generator: Generator, scales: Sequence[str]
) -> pd.DataFrame:
    """The weights that one query gives to independent keys, over their first d_k features, for each scale.

    Columns: scale, d_k, key (from 1), score (scaled) and weight. A correlation of the pairs is not used: at most one
    of the keys could have it. ValueError: an unknown scale, keys below 1, d_ks that do not ascend from at least 1.
    """
    checks.positive(keys=keys)
    apart, features = replace(pairs, correlation=0.0), features_of(keys)

    def draw() -> tuple[Tensor, Tensor]:
        q, k = (torch.empty(features, count, device=generator.device) for count in (1, keys))
        apart.fill(q, k, generator)
        return q, k

    tables = []
    for d_k, raw in running_sums(draw, _scores, d_ks, features):
        for scale in scales:
            trace, column = Trace(), raw[:, None]
            # Attention over one feature: the query is 1, a key its score.
            scaled_dot_product_attention(
                torch.ones_like(column[:1]), column, column, scale=factor(scale, d_k), trace=trace
            )
            scores, weights = (trace[id].value[0].cpu().double().numpy() for id in ("scaled", "weights"))
            columns = {"key": range(1, keys + 1), "score": scores, "weight": weights}
            tables.append(pd.DataFrame({"scale": scale, "d_k": d_k} | columns))
    return pd.concat(tables, ignore_index=True)


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return (q * k).sum(0)
