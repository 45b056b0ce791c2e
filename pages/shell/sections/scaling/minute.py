"""The minute that the page begins with: one slider for d_k over the spread of scores and what softmax makes of it."""

import pandas as pd

from attention.experiments.softmax_row import softmax_row
from attention.experiments.variance import variances
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.layout import page
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widgets
from pages.shell.runs.results import computed
from pages.shell.sections.scaling import common, variance
from pages.shell.state.page_controls import Laboratory

KEYS = 16
_SCALES = ("none", "sqrt_d_k")


def section() -> None:
    """The minute, and below it what its scores are drawn from."""
    widgets("d")
    figures = page.predict("factor", "two", "four", "same")
    # Before the figures that read them: a control that is not drawn yet has its default.
    variance.section()
    with figures:
        _figures()


@row
def _figures() -> None:
    lab = Laboratory.current()
    swept = variance.swept(lab)
    rows = computed(
        ("softmax_row", lab.pairs, lab.lab_seed),
        lambda progress: softmax_row(
            lab.pairs, common.D_KS, KEYS, generator=common.generator(lab.lab_seed), scales=_SCALES
        ),
    )
    growth, histogram = variance.growth(lab, variances(swept)), variance.histogram(lab, swept)
    component.row("plot-variance", growth, histogram, _weights(lab, rows))


def _weights(lab: Laboratory, table: pd.DataFrame) -> Chart:
    here = table[table["d_k"] == int(lab.d)].set_index("scale")
    series = [
        Series(
            common.scale_name(scale),
            here.loc[scale]["key"],
            here.loc[scale]["weight"],
            "bars",
            colour=common.COLOURS[scale],
        )
        for scale in _SCALES
    ]
    raw, scaled = (digits(here.loc[scale]["weight"].max()) for scale in _SCALES)
    note = say("lab.minute.row_note", d=lab.d, keys=KEYS, raw=raw, scaled=scaled)
    x, y = Axis(say("lab.axis.key"), range=(0.4, KEYS + 0.6)), Axis(say("lab.axis.weight"), range=(0, 1.02))
    return Chart("softmax_row", say("lab.minute.row"), series, x, y, note)
