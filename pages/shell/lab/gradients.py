"""Where the gradient goes without scaling: hardly anywhere at the scores, and loudly into W_Q from a few rows."""

import pandas as pd

from attention.gradients import SILENT, TOP, at_start, gradients
from pages.shell import plot, show
from pages.shell.computed import Progress, computed
from pages.shell.digits import digits, share
from pages.shell.lab import common
from pages.shell.own import Laboratory
from pages.shell.plot.chart import Axis, Chart, Series
from pages.shell.text import say
from pages.shell.widgets import widgets

D_KS = (16, 64, 256, 1024)
SEEDS = (0, 1, 2)
SCALES = ("none", "sqrt_d_k")
_POINTS = 200


def section() -> None:
    common.head("gradients")
    show.predict("gradient", "smaller", "larger", "same")
    widgets("gradient_d")
    d = int(Laboratory.current().gradient_d)
    rows = {
        scale: computed(("rows", d, scale), lambda progress, scale=scale: at_start(d, scale).table())  # type: ignore[misc]
        for scale in SCALES
    }
    table = computed(("gradients",), _table)
    plot.row("plot-gradients", _sorted(d, rows, table), _energy(d, rows, table), _w_q(d, table))
    _usual_sentence(d, table)


def _table(progress: Progress) -> pd.DataFrame:
    parts = []
    for done, d in enumerate(D_KS, start=1):
        parts.append(gradients((d,), SCALES, SEEDS))
        progress(done / len(D_KS))
    return pd.concat(parts)


def _mean(table: pd.DataFrame, column: str, scale: str, d: int) -> float:
    return float(table[(table["scale"] == scale) & (table["d_k"] == d)][column].mean())


def _curve(scale: str, table: pd.DataFrame, column: str) -> Series:
    step = max(1, len(table) // _POINTS)
    name, colour = common.scale_name(scale), common.COLOURS[scale]
    return Series(name, table["share"][::step], table[column][::step], colour=colour, dash=colour)


def _sorted(d: int, rows: dict[str, pd.DataFrame], table: pd.DataFrame) -> Chart:
    silent = {scale: share(_mean(table, "silent", scale, d)) for scale in SCALES}
    medians = {scale: digits(_mean(table, "scores_median", scale, d)) for scale in SCALES}
    note = say(
        "lab.gradients.sorted_note",
        d=d,
        silent=SILENT,
        raw=silent["none"],
        scaled=silent["sqrt_d_k"],
        raw_median=medians["none"],
        scaled_median=medians["sqrt_d_k"],
    )
    series = [_curve(scale, rows[scale], "scores") for scale in SCALES]
    x, y = Axis(say("lab.axis.rows"), range=(0, 1)), Axis(say("lab.axis.score_gradient"), log=True, range=(1e-8, 2))
    return Chart("sorted", say("lab.gradients.sorted"), series, x, y, note)


def _energy(d: int, rows: dict[str, pd.DataFrame], table: pd.DataFrame) -> Chart:
    raw, scaled = (share(_mean(table, "top", scale, d)) for scale in SCALES)
    note = say("lab.gradients.energy_note", d=d, top=share(TOP), raw=raw, scaled=scaled)
    series = [_curve(scale, rows[scale], "energy") for scale in SCALES]
    x, y = Axis(say("lab.axis.rows"), range=(0, 1)), Axis(say("lab.axis.energy"), range=(0, 1.02))
    return Chart("energy", say("lab.gradients.energy"), series, x, y, note, marks=[(TOP, share(TOP))])


def _w_q(d: int, table: pd.DataFrame) -> Chart:
    series = []
    for scale in SCALES:
        seeds = table[table["scale"] == scale].groupby("d_k")["w_q"]
        mean, colour = seeds.mean(), common.COLOURS[scale]
        name = common.scale_name(scale)
        series.append(Series(name, mean.index, mean, "dots", low=seeds.min(), high=seeds.max(), colour=colour))
    raw, scaled = (_mean(table, "w_q", scale, d) for scale in SCALES)
    note = say(
        "lab.gradients.w_q_note",
        d=d,
        raw=digits(raw),
        scaled=digits(scaled),
        factor=digits(raw / scaled),
        seeds=len(SEEDS),
    )
    x, y = common.d_k_axis(D_KS[-1]), Axis(say("lab.axis.w_q_gradient"), log=True)
    return Chart("w_q_gradient", say("lab.gradients.w_q"), series, x, y, note)


def _usual_sentence(d: int, table: pd.DataFrame) -> None:
    """What people say beside what is measured; each claim is checked against the numbers before it is made."""
    quieter = _mean(table, "scores_median", "none", d) < _mean(table, "scores_median", "sqrt_d_k", d)
    louder = _mean(table, "w_q", "none", d) > _mean(table, "w_q", "sqrt_d_k", d)
    show.table(
        say("lab.gradients.said"),
        say("lab.gradients.measured", d=d),
        rows=[
            (say("lab.gradients.vanish"), say(f"lab.gradients.at_scores.{'quieter' if quieter else 'not'}")),
            (say("lab.gradients.slow"), say(f"lab.gradients.at_w_q.{'louder' if louder else 'not'}")),
        ],
    )
