"""Many scores as hills, and one row of them word by word: the softmax weight of each."""

from collections.abc import Iterator

import pandas as pd

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import share
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, row, spread, variance
from pages.shell.views.waiting import result

# The height of words above the highest possible bar, and the end of that axis.
_ABOVE, _HIGH = 1.03, 1.22


@named("scaling.one_row")
def figures(screen: Screen) -> Iterator[Block]:
    """The spread of many scores, and a row in which chance alone decides which word wins."""
    lab = screen.own(Laboratory)
    hills = spread.histogram(
        lab, result(variance.drawn(lab)).sweep, common.shown(is_answered=guess.is_answered(screen, "root"))
    )
    yield blocks.figures(hills, _weights(lab, result(row.drawn(lab))))


def _weights(lab: Laboratory, table: pd.DataFrame) -> Chart:
    """The softmax of the final scores of the walks, undivided and divided."""
    here = table[table["d_k"] == int(lab.d)].set_index("scale")
    most = {scale: here.loc[scale]["weight"].to_numpy() for scale in row.SCALES}
    first = row.first(lab)
    note = say(
        "lab.minute.row_note",
        d=lab.d,
        key=row.WORDS[first],
        raw=share(most["none"][first]),
        kept=share(1 - most["sqrt_d_k"][first]),
    )
    # Names stand above all bars, at the left and at the right.
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
