"""The softmax weights of many rows: how 100 % are shared among the words of a row, on average."""

from collections.abc import Sequence

import pandas as pd

from attention.analysis.sharpness import FROZEN
from attention.experiments.softmax_row import ranked_weights
from attention.scales import BY_D_K
from pages.shell.component.chart import INK, Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import share
from pages.shell.runs.results import Experiment
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.scaling import common, row

ROWS = 500
# The heights of the words on the bars, in the room beside the first one, and the end of the axis.
_SAID = {"none": 0.84, "sqrt_d_k": 0.66, "d_k": 0.48}
_HIGH = 1.05


def drawn(lab: Laboratory) -> Experiment[pd.DataFrame]:
    """The mean weight at each place of a row, at each d_k."""
    pairs = row.independent(lab)
    return Experiment(
        ("ranked_weights", pairs, lab.lab_seed),
        lambda progress: ranked_weights(
            pairs,
            common.D_KS,
            len(row.WORDS),
            ROWS,
            generator=common.generator(lab.lab_seed),
            scales=BY_D_K,
            progress=progress,
        ),
    )


def chart(lab: Laboratory, table: pd.DataFrame, scales: Sequence[str]) -> Chart:
    """The weights at the chosen d_k, the largest of each row first. Only bars and numbers move.

    scales: the ways to scale that are drawn.
    """
    count, here = len(row.WORDS), table[table["d_k"] == int(lab.d)]
    series = []
    for scale in scales:
        shares, name = here[here["scale"] == scale], common.scale_name(scale)
        first = _whole(float(shares["weight"].iloc[0]))
        said = (count + 0.6, _SAID[scale], say("lab.rows.first", scale=name, share=first))
        colour = common.COLOURS[scale]
        series.append(Series(name, shares["place"], shares["weight"], "bars", colour=colour, said=said))
    places = range(1, count + 1)
    if "d_k" in scales:
        # The third way comes near to equal weights.
        name = say("lab.rows.alike", share=_whole(1 / count))
        said = (count + 0.6, 1 / count, name)
        series.append(Series(name, places, [1 / count] * count, "theory", colour=INK, said=said))
    x = Axis(
        say("lab.rows.places", keys=count),
        range=(0.4, count + 0.6),
        ticks=places,
        names=[str(place) for place in places],
    )
    y = Axis(say("lab.axis.weight"), range=(0, _HIGH), ticks=(0, 0.5, 1), names=[share(one) for one in (0, 0.5, 1)])
    return Chart("shares", say("lab.rows.title"), series, x, y, _note(lab, table, scales), light=True)


def _note(lab: Laboratory, table: pd.DataFrame, scales: Sequence[str]) -> str:
    """The note about the largest weight of a row."""
    raw, scaled, cold = (_whole(_largest(lab, table, scale, "weight")) for scale in ("none", "sqrt_d_k", "d_k"))
    if "d_k" in scales:
        return say("lab.rows.note_by_d_k", d=lab.d, raw=raw, scaled=scaled, cold=cold)
    return say("lab.rows.note", d=lab.d, raw=raw, scaled=scaled)


def _whole(value: float) -> str:
    """A share in whole per cent, which stays calm while a slider moves; with a decimal if it would round to
    everything."""
    return f"{value:.0%}" if value < 0.995 else share(value)


def divided(lab: Laboratory, table: pd.DataFrame) -> tuple[float, float]:
    """The ends of the largest weight of divided scores, over all d_k of the axes."""
    near = table[(table["place"] == 1) & (table["d_k"] <= common.reach(lab)) & (table["scale"] == "sqrt_d_k")]["weight"]
    return float(near.min()), float(near.max())


def _largest(lab: Laboratory, table: pd.DataFrame, scale: str, column: str) -> float:
    return common.value(table, column, place=1, scale=scale, d_k=int(lab.d))


def training(lab: Laboratory, table: pd.DataFrame, scales: Sequence[str]) -> Block:
    """The effect of such rows on training: if one word has nearly all weight, the slope w (1 − w) of softmax is next to
    nothing."""
    frozen = {scale: _largest(lab, table, scale, "frozen") for scale in scales}
    bars = [(common.scale_name(scale), part, share(part), common.COLOURS[scale]) for scale, part in frozen.items()]
    text = say("lab.rows.training", most=f"{FROZEN:.0%}")
    if "d_k" in scales:
        text = listed("sentence", (text, say("lab.rows.price", race=say("lab.race.title"))))
    return blocks.counted(text, say("lab.rows.frozen", d=lab.d), *bars)
