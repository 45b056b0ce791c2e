"""The minute that the page begins with: one slider over the scores of a row and what softmax makes of them, and why
they spread."""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, share
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, row, variance, walk
from pages.shell.views.waiting import result

# The share of one word from which softmax passes next to nothing back: its slopes are w (1 − w) at most.
FROZEN = 0.99


@named("scaling.weighed")
def weighed(screen: Screen) -> Iterator[Block]:
    """Read off what was drawn for every d_k: another one moves the bars without another draw."""
    lab = screen.own(Laboratory)
    table = result(row.drawn(lab))
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
    low, high = row.ends(lab)
    here, first = _here(lab, table), row.first(lab)
    tall = {scale: here.loc[scale]["score"].to_numpy() for scale in row.SCALES}
    said = {scale: digits(float(scores[first])) for scale, scores in tall.items()}
    note = say("lab.minute.scores_note", d=lab.d, word=row.WORDS[first], raw=said["none"], scaled=said["sqrt_d_k"])
    series = _bars(table, lab, "score", [high * y for y in (0.86, 0.6)], tall["none"])
    return Chart(
        "scores",
        say("lab.minute.scores"),
        series,
        _words(),
        Axis(say("lab.axis.score"), range=(low, high)),
        note,
        light=True,
    )


def _weights(lab: Laboratory, table: pd.DataFrame) -> Chart:
    here = _here(lab, table)
    most = {scale: here.loc[scale]["weight"].to_numpy() for scale in row.SCALES}
    first = int(most["none"].argmax())
    note = say(
        "lab.minute.row_note",
        d=lab.d,
        key=row.WORDS[first],
        raw=share(most["none"][first]),
        scaled=share(most["sqrt_d_k"][first]),
    )
    if most["none"][first] >= FROZEN:
        note = listed("sentence", (note, say("lab.minute.frozen")))
    series = _bars(table, lab, "weight", (0.88, 0.74), most["none"])
    y = Axis(say("lab.axis.weight"), range=(0, 1.02))
    return Chart("softmax_row", say("lab.minute.row"), series, _words(), y, note, light=True)


def _bars(
    table: pd.DataFrame, lab: Laboratory, column: str, heights: Iterable[float], high: np.ndarray
) -> list[Series]:
    """The bars of both ways, named where there is room: beside the highest bar. high: of the bars that may be in the
    way."""
    first, count = int(high.argmax()), len(row.WORDS)
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
        for scale, y in zip(row.SCALES, heights, strict=True)
    ]


def _here(lab: Laboratory, table: pd.DataFrame) -> pd.DataFrame:
    return table[table["d_k"] == int(lab.d)].set_index("scale")


def _words() -> Axis:
    places = range(1, len(row.WORDS) + 1)
    return Axis(say("lab.minute.keys"), range=(0.4, len(row.WORDS) + 0.6), ticks=places, names=row.WORDS)
