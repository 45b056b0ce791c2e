"""The gradient that softmax lets through, raw and scaled, and the d_k from which on scaling lets more through."""

import pandas as pd

from attention.experiments.saturation import crossover
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common


def chart(lab: Laboratory, table: pd.DataFrame, series: list[Series]) -> Chart:
    """The norm of the Jacobian against d_k. table: of `saturation`."""
    raw, scaled = common.raw_and_scaled(lab, table, "jacobian", "median")
    said = [say("lab.saturation.jacobian_note", d=lab.d, keys=lab.keys, raw=raw, scaled=scaled)]
    crossings = {statistic: crossover(table, statistic) for statistic in ("mean", "median")}
    said += [_crossing(table, statistic, *found) for statistic, found in crossings.items()]
    _, sure = crossings["mean"]
    marks = [(sure, say("lab.saturation.crossing"))] if sure else []
    x, y = common.d_k_axis(), Axis(say("lab.axis.jacobian"), log=True, range=(common.EDGE, 1))
    title = say("lab.saturation.jacobian")
    return Chart("jacobian", title, series, x, y, listed("sentence", [*said, *_cut(table)]), marks=marks)


def _crossing(table: pd.DataFrame, statistic: str, first: int | None, sure: int | None) -> str:
    """The d_k from which on the scaled Jacobian is larger, and whether it is smaller below."""
    by = say(f"lab.saturation.by.{statistic}")
    if first is None or sure is None:
        return say("lab.saturation.no_crossover", by=by, last=int(table["d_k"].max()))
    if first < sure:
        undecided = max(d for d in table["d_k"] if d < sure)
        return say("lab.saturation.between", by=by, first=first, sure=sure, undecided=undecided)
    # At d_k = 1 the divisor is 1.
    below = "smaller" if first > min(d for d in table["d_k"] if d > 1) else "same"
    return say(f"lab.saturation.crossover.{below}", by=by, d=sure)


def _cut(table: pd.DataFrame) -> list[str]:
    """The values below the lower edge of the chart, if there are any."""
    rows = table[table["quantity"] == "jacobian"]
    parts = []
    for line in ("median", "low"):
        for scale, own in rows[rows[line] < common.EDGE].groupby("scale"):
            what = say(f"lab.saturation.below.{line}", scale=common.scale_name(str(scale)), d=own["d_k"].min())
            parts.append(what)
    if not parts:
        return []
    return [say("lab.saturation.cut", edge=digits(common.EDGE), parts=listed("comma", parts))]
