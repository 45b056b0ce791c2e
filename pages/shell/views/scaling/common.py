"""Common parts of the figures: the swept d_k, seeds, and one colour for each way to scale."""

import pandas as pd
import torch

from attention.experiments.running_sums import log_steps
from attention.experiments.variance import RAW_AND_SCALED
from attention.scales import BY_D_K
from pages.shell.component.chart import Axis, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory

D_KS = log_steps(4096)
COLOURS = {"sqrt_d_k": 0, "none": 1, "d_k": 2}
# The lower edge of charts of gradients; smaller ones look like nothing, and a note counts them.
EDGE = 1e-8
# The last d_k of linear axes, which stay under the slider.
NEAR = 256
_TICKS = (1, 4, 16, 64, 256, 1024, 4096)


def generator(seed: int) -> torch.Generator:
    """A generator on the CPU: other devices draw other numbers, and a link shows the same on every server."""
    return torch.Generator().manual_seed(seed)


def d_k_axis(last: int = D_KS[-1]) -> Axis:
    return Axis(say("lab.axis.d_k"), log=True, ticks=[tick for tick in _TICKS if tick <= last])


def reach(lab: Laboratory) -> int:
    """The end of linear axes of d_k; a larger d_k of a link moves it there."""
    return max(NEAR, int(lab.d))


def shown(*, is_answered: bool) -> tuple[str, ...]:
    """The ways to scale in the first charts: division by d_k itself is asked, and drawn after a guess."""
    return BY_D_K if is_answered else RAW_AND_SCALED


def scale_name(scale: str) -> str:
    return say(f"lab.scale.{scale}")


def quantile_series(table: pd.DataFrame, quantity: str, scale: str) -> Series:
    """The median of a quantity against d_k with the band of its quantiles, from a table of `saturation`."""
    rows = table[(table["quantity"] == quantity) & (table["scale"] == scale)]
    return Series(
        scale_name(scale),
        rows["d_k"],
        rows["median"],
        low=rows["low"],
        high=rows["high"],
        colour=COLOURS[scale],
        dash=COLOURS[scale],
    )


def mean_series(table: pd.DataFrame, quantity: str, scale: str) -> Series:
    """The mean of a quantity against d_k, from a table of `saturation`."""
    rows = table[(table["quantity"] == quantity) & (table["scale"] == scale)]
    name = say("lab.saturation.mean", scale=scale_name(scale))
    return Series(name, rows["d_k"], rows["mean"], "theory", colour=COLOURS[scale])


def value(table: pd.DataFrame, column: str, **where: object) -> float:
    """The single number in a column of a table, in the row whose other columns have these values."""
    rows = table
    for name, wanted in where.items():
        rows = rows[rows[name] == wanted]
    (found,) = rows[column]
    return float(found)


def raw_and_scaled(lab: Laboratory, table: pd.DataFrame, quantity: str, statistic: str) -> tuple[str, str]:
    """A quantity of a table of `saturation` at the marked d_k, without scaling and with it."""
    where = {"quantity": quantity, "d_k": int(lab.d)}
    return (
        digits(value(table, statistic, scale="none", **where)),
        digits(value(table, statistic, scale="sqrt_d_k", **where)),
    )
