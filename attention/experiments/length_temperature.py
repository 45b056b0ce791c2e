"""One matching key among more and more others: its weight vanishes with plain softmax, and stays with a factor log n.

Nakanishi 2025 ("Scalable-Softmax"), figure 1: logits times s ln n. The weights are those of the one implementation, for
a query of one feature.
"""

import math
from collections.abc import Sequence

import pandas as pd
import torch

from attention import checks
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace

# The numbers of figure 1 there: the score of the matching key, that of the others, and s.
GOOD, OTHERS, S = 3.0, -2.0, 0.43


def top_weights(lengths: Sequence[int], *, s: float = S) -> pd.DataFrame:
    """The weight of the matching key among n keys: a row for each n, with the columns n, softmax and scaled.

    ValueError: lengths below 1, an s that is not above 0.
    """
    checks.above_zero("s", s)
    rows = []
    for n in lengths:
        checks.positive(n=n)
        scores = torch.full((n, 1), OTHERS, dtype=torch.float64)
        scores[-1] = GOOD
        weights = []
        for scale in (1.0, s * math.log(n)):
            trace = Trace()
            scaled_dot_product_attention(torch.ones_like(scores[:1]), scores, scores, scale=scale, trace=trace)
            weights.append(trace["weights"].value[0, -1].item())
        rows.append((n, *weights))
    return pd.DataFrame(rows, columns=["n", "softmax", "scaled"])
