"""What is written on the lines of the variance: their law or, while it is asked for, their names alone."""

import math

import numpy as np
import pandas as pd

from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.views.scaling import common


def on_line(scale: str, table: pd.DataFrame, last: int, is_log: bool) -> tuple[float, float, str] | None:
    """The words on a line of the theory: halfway up, wherever the slider is, and at the right of one that does not
    rise; none where the theory has no number."""
    d_ks, theory = table["d_k"].to_numpy(), table["variance_theory"].to_numpy()
    middle = math.sqrt(last) if is_log else last // 2
    at = int(np.searchsorted(d_ks, middle, side="right")) - 1
    factor = theory[at] if scale == "sqrt_d_k" else theory[at] / d_ks[at]
    if not math.isfinite(factor) or factor <= 0:
        return None
    kind = "scaled" if scale == "sqrt_d_k" else "raw" if math.isclose(factor, 1) else "raw_times"
    x = last if scale == "sqrt_d_k" else d_ks[at]
    # Dots of the flat line reach up to its words where the axis doubles.
    above = 1.5 if is_log and scale == "sqrt_d_k" else 1
    return float(x), above * float(theory[at]), say(f"lab.variance.line.{kind}", factor=digits(float(factor)))


def at_end(scale: str, of_scale: pd.DataFrame, is_log: bool) -> tuple[tuple[float, float, str], bool]:
    """While its law is asked for, a line has its name alone, where it ends; and whether the name begins there.

    The mark of d_k stands at that end too, so that names keep to one side of it: to the right, and further up to the
    left, where the answers have the room. Both names stand apart where the lines do not yet.
    """
    is_raw, middle = scale == "none", math.isqrt(common.NEAR) if is_log else common.NEAR // 2
    # On logarithmic axes the answers are above the whole right half.
    end = of_scale[of_scale["d_k"] <= middle].iloc[-1] if is_log and is_raw else of_scale.iloc[-1]
    if is_raw:
        up = max(end["variance_theory"], 8 if is_log else 0.23 * common.NEAR)
    else:
        # There dots of the flat line reach up to its name.
        up = (1.5 if is_log else 1) * end["variance_theory"]
    is_after = end["d_k"] < middle if is_raw else not is_log or end["d_k"] <= 2 * middle
    return (float(end["d_k"]), float(up), common.scale_name(scale)), bool(is_after)
