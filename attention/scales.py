"""Scale factors of the scores: 1/sqrt(d_k), and the common mistakes."""

import math
from collections.abc import Callable

from attention import checks

# d_k, d_model, heads to the number c that multiplies the scores.
SCALES: dict[str, Callable[[int, int, int], float]] = {
    "sqrt_d_k": lambda d_k, d_model, heads: 1 / math.sqrt(d_k),
    "none": lambda d_k, d_model, heads: 1.0,
    "d_k": lambda d_k, d_model, heads: 1 / d_k,
    "sqrt_d_model": lambda d_k, d_model, heads: 1 / math.sqrt(d_model),
    "sqrt_heads": lambda d_k, d_model, heads: 1 / math.sqrt(heads),
    # Common mistake: the weights are divided by sqrt(d_k), the scores are not.
    "after_softmax": lambda d_k, d_model, heads: 1.0,
}


# The scales for which `factor` needs d_k alone.
BY_D_K = ("none", "sqrt_d_k", "d_k")


def factor(scale: str, d_k: int) -> float:
    """The number c that multiplies the scores, for `scale=` of `scaled_dot_product_attention`.

    ValueError: a scale that is not one of BY_D_K, d_k below 1.
    """
    checks.choice("scale", scale, BY_D_K)
    checks.positive(d_k=d_k)
    return SCALES[scale](d_k, d_k, 1)
