"""A soft cap after the mask, a mistake: minus infinity becomes -c, and hidden keys get weight.

Gemma 2 (2024, section 2) caps first. With its c = 50 the leak of a thousand hidden keys beside a visible score of 0
is 2e-19, which no test detects; beside visible scores far below 0 it is large. The order has to be tested with a small
cap.
"""

import math

from attention.analysis.rerun import rerun
from attention.trace import Trace


def cap_after_mask(trace: Trace, cap: float) -> Trace:
    """The record of the mistake: every hidden pair has the score -cap, as if tanh had come after the mask.

    ValueError: a record without a boolean mask.
    """
    if "mask" not in trace or trace["mask"].quantity.kind != "binary":
        raise ValueError("the record needs a boolean mask, whose hidden pairs would be capped")
    right = rerun(trace, softcap=cap)
    hidden, capped = ~trace["mask"].value, right["softcapped"].value
    # Added to the capped scores of the one implementation, this mask gives -cap where a pair is hidden.
    return rerun(trace, softcap=cap, mask=(-cap - capped).masked_fill(~hidden, 0))


def leak(trace: Trace, mistaken: Trace) -> float:
    """The most weight that a query of the mistaken record puts on keys that the mask of the other record hides."""
    hidden = ~trace["mask"].value
    return mistaken["weights"].value.masked_fill(~hidden, 0).sum(-1).max().item()


def most_weight(cap: float, keys: int) -> float:
    """The largest weight that a capped score can get among n keys: 1 / (1 + (n - 1) exp(-2 c))."""
    return 1 / (1 + (keys - 1) * math.exp(-2 * cap))
