"""The words on the lines of the variance: their law."""

import math

import numpy as np
import pandas as pd

from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits

# The height of words without room at their line, as a part of the variance at the end of the axis.
_ABOVE = 0.13


def on_line(scale: str, table: pd.DataFrame, last: int, is_log: bool) -> tuple[float, float, str] | None:
    """The words on a line of the theory: halfway up, wherever the slider is, or at the right end of a flat line; none
    if the theory has no number."""
    d_ks, theory = table["d_k"].to_numpy(), table["variance_theory"].to_numpy()
    middle = math.sqrt(last) if is_log else last // 2
    at = int(np.searchsorted(d_ks, middle, side="right")) - 1
    factor = theory[at] if scale == "sqrt_d_k" else theory[at] / d_ks[at]
    if not math.isfinite(factor) or factor <= 0:
        return None
    if scale == "d_k":
        return _falling(theory, d_ks, last, is_log)
    kind = "scaled" if scale == "sqrt_d_k" else "raw" if math.isclose(factor, 1) else "raw_times"
    x = last if scale == "sqrt_d_k" else d_ks[at]
    # On an axis that doubles, dots of the flat line reach up to its words.
    above = 1.5 if is_log and scale == "sqrt_d_k" else 1
    return float(x), above * float(theory[at]), say(f"lab.variance.line.{kind}", factor=digits(float(factor)))


def _falling(theory: np.ndarray, d_ks: np.ndarray, last: int, is_log: bool) -> tuple[float, float, str]:
    """The words on the line of division by d_k itself: below it on axes that double. Otherwise the line lies on the
    flat one, and the words stand above those of the flat line."""
    factor = theory[0] * d_ks[0]
    x, y = (math.sqrt(last), factor / last) if is_log else (last, _ABOVE * factor * last)
    return float(x), float(y), say("lab.variance.line.cold", factor=digits(float(factor)))
