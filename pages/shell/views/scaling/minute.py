"""The minute that the page begins with: one slider over scores on their way, their variance, and the largest weight
that softmax makes of them on average; below, one row and a histogram."""

from collections.abc import Iterator

import pandas as pd

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import share
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.asked import is_settled
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, row, rows, variance, walk
from pages.shell.views.waiting import result

# The share of one word from which softmax passes next to nothing back: its slopes are w (1 − w) at most.
FROZEN = 0.99


@named("scaling.variance")
def figures(screen: Screen) -> Iterator[Block]:
    """Read off what was drawn for every d_k: another one moves everything without another draw."""
    lab = screen.own(Laboratory)
    drawn, many = result(variance.drawn(lab)), result(rows.drawn(lab))
    # Of other entries the factor is another one.
    places = variance.guesses(drawn.variances) if lab.pairs == Laboratory().pairs else {}
    is_answered = guess.is_answered(screen, "factor")
    # Who has dragged to where the answers stand has drawn the right one: it is told, and no more asked for.
    is_drawn = not is_answered and is_settled("factor", screen)
    ghosts = [] if is_drawn else guess.ghosts(screen, "factor", places)
    # Until somebody guesses, the line is drawn as far as the slider has come.
    is_whole = not places or is_answered
    growth = variance.growth(lab, drawn.variances, ghosts, is_whole, is_told=is_drawn)
    yield blocks.figures(walk.chart(lab), growth, rows.chart(lab, many))


@named("scaling.weighed")
def weighed(screen: Screen) -> Iterator[Block]:
    """At the chosen d_k: the softmax of one row, and how far many scores spread."""
    lab = screen.own(Laboratory)
    table, drawn = result(row.drawn(lab)), result(variance.drawn(lab))
    yield blocks.figures(_weights(lab, table), variance.histogram(lab, drawn.sweep))


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
    count = len(row.WORDS)
    # Named where there is room: beside the highest bar, between two lines of the grid.
    x = first + 0.4 if first >= count / 2 else count + 0.5
    series = [
        Series(
            common.scale_name(scale),
            here.loc[scale]["key"],
            here.loc[scale]["weight"],
            "bars",
            colour=common.COLOURS[scale],
            said=(x, height, common.scale_name(scale)),
        )
        for scale, height in zip(row.SCALES, (0.8, 0.65), strict=True)
    ]
    y = Axis(say("lab.axis.weight"), range=(0, 1.02), ticks=(0, 0.5, 1))
    return Chart("softmax_row", say("lab.minute.row"), series, _words(), y, note, light=True)


def _here(lab: Laboratory, table: pd.DataFrame) -> pd.DataFrame:
    return table[table["d_k"] == int(lab.d)].set_index("scale")


def _words() -> Axis:
    places = range(1, len(row.WORDS) + 1)
    return Axis(say("lab.minute.keys"), range=(0.4, len(row.WORDS) + 0.6), ticks=places, names=row.WORDS)
