"""The d under the root: the common mistakes compared on the same numbers."""

import math

import pandas as pd
import torch
from torch import Generator

from attention import checks
from attention.analysis.rerun import rerun
from attention.analysis.sharpness import entropy
from attention.modules import MultiHeadAttention
from attention.scales import SCALES
from attention.trace import Trace


def which_d(
    d_model: int = 512, heads: int = 8, tokens: int = 64, sentences: int = 4, *, generator: Generator
) -> pd.DataFrame:
    """One untrained layer of self-attention over x, N(0, 1), on the CPU: a row for each of `SCALES`.

    Columns: scale; factor, the number c that multiplies the scores; spread, their standard deviation (about 0) after
    that, and spread_theory = c sqrt(d_k); entropy, in nats, the mean over the queries, of the weights as shares of
    their row; largest, the mean of the largest such share; row_sum, the sum of the weights of a row, 1 but for
    `after_softmax`, which leaves the scores as they are and divides the weights by sqrt(d_k). ValueError: sizes below
    1, d_model that heads does not divide.
    """
    checks.positive(tokens=tokens, sentences=sentences)
    module = MultiHeadAttention(d_model, heads, generator=generator)
    x = torch.randn(sentences, tokens, d_model, generator=generator)
    rows = []
    for scale, factor in SCALES.items():
        c, trace = factor(module.d_k, d_model, heads), Trace()
        with torch.no_grad():
            module(x, scale=c, trace=trace)
        scores, weights = trace["scaled"].value, trace["weights"].value
        after = 1 / math.sqrt(module.d_k) if scale == "after_softmax" else 1.0
        rows.append(
            {
                "scale": scale,
                "factor": c,
                "spread": scores.square().mean().sqrt().item(),
                "spread_theory": c * math.sqrt(module.d_k),
                "entropy": entropy(weights).mean().item(),
                "largest": weights.amax(-1).mean().item(),
                "row_sum": (after * weights.sum(-1)).mean().item(),
            }
        )
    return pd.DataFrame(rows)


def by_scale(trace: Trace, scale: str, d_model: int) -> dict[str, float]:
    """One of `attention.scales.SCALES` on the recorded queries and keys, all sentences and heads.

    factor, the number c that multiplies the scores; spread, the standard deviation of the scores after that; entropy
    and largest, the means over the queries that may attend to something, of the weights as shares of their row;
    row_sum, the mean sum of their weights. ValueError: an unknown scale.
    """
    checks.choice("scale", scale, SCALES)
    d_k = trace["queries"].value.shape[-1]
    heads = trace.sizes.get("head", 1)
    factor = SCALES[scale](d_k, d_model, heads)
    second = rerun(trace, scale=factor)
    rows = second["weights"].value.flatten(0, -2)
    rows = rows[rows.any(-1)]
    after = 1 / math.sqrt(d_k) if scale == "after_softmax" else 1.0
    return {
        "factor": factor,
        "spread": second["scaled"].value.std(correction=0).item(),
        "entropy": entropy(rows).mean().item(),
        "largest": rows.amax(-1).mean().item(),
        "row_sum": (after * rows.sum(-1)).mean().item(),
    }
