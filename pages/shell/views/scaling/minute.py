"""The minute that the page begins with: one slider over scores on their way, the variance of many, and the share that
softmax makes of each score; below, the largest share on average and a histogram."""

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
# Where words stand above the highest bar there can be, and where that axis ends.
_ABOVE, _HIGH = 1.03, 1.22


@named("scaling.variance")
def figures(screen: Screen) -> Iterator[Block]:
    """Read off what was drawn for every d_k: another one moves everything without another draw."""
    lab = screen.own(Laboratory)
    drawn, table = result(variance.drawn(lab)), result(row.drawn(lab))
    # Of other entries the factor is another one.
    places = variance.guesses(drawn.variances) if lab.pairs == Laboratory().pairs else {}
    is_answered = guess.is_answered(screen, "factor")
    # Who has dragged to where the answers stand has drawn the right one: it is told, and no more asked for.
    is_drawn = not is_answered and is_settled("factor", screen)
    ghosts = [] if is_drawn else guess.ghosts(screen, "factor", places)
    # Until somebody guesses, the line is drawn as far as the slider has come.
    is_whole = not places or is_answered
    growth = variance.growth(lab, drawn.variances, ghosts, is_whole, is_told=is_drawn)
    yield blocks.figures(walk.chart(lab), growth, _weights(lab, table))


@named("scaling.weighed")
def weighed(screen: Screen) -> Iterator[Block]:
    """What one row cannot show: the largest weight of many rows, and how far many scores spread."""
    lab = screen.own(Laboratory)
    many, drawn = result(rows.drawn(lab)), result(variance.drawn(lab))
    yield blocks.figures(rows.chart(lab, many), variance.histogram(lab, drawn.sweep))


def _weights(lab: Laboratory, table: pd.DataFrame) -> Chart:
    """The softmax of the scores at which the walks end, undivided and divided."""
    here = table[table["d_k"] == int(lab.d)].set_index("scale")
    most = {scale: here.loc[scale]["weight"].to_numpy() for scale in row.SCALES}
    first = int(most["none"].argmax())
    note = say(
        "lab.minute.row_note",
        d=lab.d,
        key=row.WORDS[first],
        raw=share(most["none"][first]),
        kept=share(1 - most["sqrt_d_k"][first]),
    )
    if most["none"][first] >= FROZEN:
        note = listed("sentence", (note, say("lab.minute.frozen")))
    # Named above all bars, at the left and at the right.
    count = len(row.WORDS)
    ends = {"none": 0.0, "sqrt_d_k": count + 0.6}
    series = [
        Series(
            common.scale_name(scale),
            here.loc[scale]["key"],
            here.loc[scale]["weight"],
            "bars",
            colour=common.COLOURS[scale],
            said=(ends[scale], _ABOVE, common.scale_name(scale)),
        )
        for scale in row.SCALES
    ]
    y = Axis(say("lab.axis.weight"), range=(0, _HIGH), ticks=(0, 0.5, 1))
    return Chart("softmax_row", say("lab.minute.row"), series, _words(), y, note, light=True)


def _words() -> Axis:
    places = range(1, len(row.WORDS) + 1)
    return Axis(say("lab.minute.keys"), range=(0.4, len(row.WORDS) + 0.6), ticks=places, names=row.WORDS)
