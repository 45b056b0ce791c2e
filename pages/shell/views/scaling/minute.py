"""The minute that the page begins with: one slider over the scores of a row and what softmax makes of them, and why
they spread."""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from attention.experiments.softmax_row import softmax_row
from attention.inputs.grammar import EXAMPLE
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, share
from pages.shell.runs.results import Experiment
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, variance, walk
from pages.shell.views.waiting import result

# What the keys of the row are called: they are drawn, and mean nothing.
WORDS = EXAMPLE.split()
_SCALES = ("none", "sqrt_d_k")


def row_of(lab: Laboratory) -> Experiment[pd.DataFrame]:
    """The scores and the weights of one query at each d_k."""
    return Experiment(
        ("softmax_row", lab.pairs, lab.lab_seed),
        lambda progress: softmax_row(
            lab.pairs, common.D_KS, len(WORDS), generator=common.generator(lab.lab_seed), scales=_SCALES
        ),
    )


@named("scaling.weighed")
def weighed(screen: Screen) -> Iterator[Block]:
    """Read off what was drawn for every d_k: another one moves the bars without another draw."""
    lab = screen.own(Laboratory)
    table = result(row_of(lab))
    yield blocks.figures(_scores(lab, table), _weights(lab, table))


@named("scaling.variance")
def figures(screen: Screen) -> Iterator[Block]:
    """One score on its way, and how far scores spread at each d_k."""
    lab = screen.own(Laboratory)
    drawn = result(variance.drawn(lab))
    # Of other entries the factor is another one.
    places = variance.guesses(drawn.variances) if lab.pairs == Laboratory().pairs else {}
    ghosts = guess.ghosts(screen, "factor", places)
    # Until somebody guesses, the line is drawn as far as the slider has come.
    is_whole = not places or guess.is_answered(screen, "factor")
    growth = variance.growth(lab, drawn.variances, ghosts, is_whole)
    yield blocks.figures(walk.chart(lab), growth, variance.histogram(lab, drawn.sweep))


def _scores(lab: Laboratory, table: pd.DataFrame) -> Chart:
    # As wide as at the last d_k of linear axes, so that the axis stays; of a larger one, bars leave it.
    widest = table[(table["d_k"] == variance.NEAR) & (table["scale"] == "none")]["score"].abs().max()
    here = _here(lab, table)
    spread = {scale: digits(float(here.loc[scale]["score"].std())) for scale in _SCALES}
    note = say("lab.minute.scores_note", d=lab.d, raw=spread["none"], scaled=spread["sqrt_d_k"])
    most = {scale: here.loc[scale]["score"].to_numpy() for scale in _SCALES}
    series = _bars(table, lab, "score", [(1.05 * widest * y) for y in (0.86, 0.6)], most["none"])
    y = Axis(say("lab.axis.score"), range=(-1.05 * widest, 1.05 * widest))
    return Chart("scores", say("lab.minute.scores"), series, _words(), y, note, light=True)


def _weights(lab: Laboratory, table: pd.DataFrame) -> Chart:
    here = _here(lab, table)
    most = {scale: here.loc[scale]["weight"].to_numpy() for scale in _SCALES}
    first = int(most["none"].argmax())
    note = say(
        "lab.minute.row_note",
        d=lab.d,
        key=WORDS[first],
        raw=share(most["none"][first]),
        scaled=share(most["sqrt_d_k"][first]),
    )
    series = _bars(table, lab, "weight", (0.88, 0.74), most["none"])
    y = Axis(say("lab.axis.weight"), range=(0, 1.02))
    return Chart("softmax_row", say("lab.minute.row"), series, _words(), y, note, light=True)


def _bars(
    table: pd.DataFrame, lab: Laboratory, column: str, heights: Iterable[float], high: np.ndarray
) -> list[Series]:
    """The bars of both ways, named where there is room: beside the highest bar. high: of the bars that may be in the
    way."""
    first, count = int(high.argmax()), len(WORDS)
    x = first + 0.4 if first >= count / 2 else count + 0.5
    here = _here(lab, table)
    return [
        Series(
            common.scale_name(scale),
            here.loc[scale]["key"],
            here.loc[scale][column],
            "bars",
            colour=common.COLOURS[scale],
            said=(x, y, common.scale_name(scale)),
        )
        for scale, y in zip(_SCALES, heights, strict=True)
    ]


def _here(lab: Laboratory, table: pd.DataFrame) -> pd.DataFrame:
    return table[table["d_k"] == int(lab.d)].set_index("scale")


def _words() -> Axis:
    places = range(1, len(WORDS) + 1)
    return Axis(say("lab.minute.keys"), range=(0.4, len(WORDS) + 0.6), ticks=places, names=WORDS)
