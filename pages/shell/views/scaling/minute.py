"""The minute that the page begins with: one slider over scores, their variance and what softmax makes of them."""

from collections.abc import Iterator

import pandas as pd

from attention.experiments.softmax_row import softmax_row
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.results import Experiment
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, variance
from pages.shell.views.waiting import result

KEYS = 16
_SCALES = ("none", "sqrt_d_k")


def row_of(lab: Laboratory) -> Experiment[pd.DataFrame]:
    """The weights of one query at each d_k."""
    return Experiment(
        ("softmax_row", lab.pairs, lab.lab_seed),
        lambda progress: softmax_row(
            lab.pairs, common.D_KS, KEYS, generator=common.generator(lab.lab_seed), scales=_SCALES
        ),
    )


@named("scaling.variance")
def figures(screen: Screen) -> Iterator[Block]:
    """All of it is read off what was drawn for every d_k: another one moves the figures without another draw."""
    lab = screen.own(Laboratory)
    drawn, rows = result(variance.drawn(lab)), result(row_of(lab))
    # Of other entries the factor is another one.
    places = variance.guesses(drawn.variances) if lab.pairs == Laboratory().pairs else {}
    ghosts = guess.ghosts(screen, "factor", places)
    # Until somebody guesses, the line is drawn as far as the slider has come.
    is_whole = not places or guess.is_answered(screen, "factor")
    growth = variance.growth(lab, drawn.variances, ghosts, is_whole)
    yield blocks.figures(variance.histogram(lab, drawn.sweep), growth, _weights(lab, rows))


def _weights(lab: Laboratory, table: pd.DataFrame) -> Chart:
    here = table[table["d_k"] == int(lab.d)].set_index("scale")
    most = {scale: here.loc[scale]["weight"].to_numpy() for scale in _SCALES}
    first = int(most["none"].argmax())
    # Beside the highest bar, on the side where there is room.
    x = first + 0.4 if first >= KEYS / 2 else KEYS + 0.5
    series = [
        Series(
            common.scale_name(scale),
            here.loc[scale]["key"],
            here.loc[scale]["weight"],
            "bars",
            colour=common.COLOURS[scale],
            said=(x, y, common.scale_name(scale)),
        )
        for scale, y in zip(_SCALES, (0.88, 0.76), strict=True)
    ]
    note = say(
        "lab.minute.row_note",
        d=lab.d,
        key=first + 1,
        raw=digits(most["none"][first]),
        scaled=digits(most["sqrt_d_k"][first]),
    )
    keys = range(1, KEYS + 1)
    x_axis = Axis(say("lab.minute.keys", keys=KEYS), range=(0.4, KEYS + 0.6), ticks=keys, names=[*map(str, keys)])
    y_axis = Axis(say("lab.axis.weight"), range=(0, 1.02))
    return Chart("softmax_row", say("lab.minute.row"), series, x_axis, y_axis, note, light=True)
