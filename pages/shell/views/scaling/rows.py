"""What one row cannot show, since its noise is that of a single draw: the largest weight on average over many rows."""

from dataclasses import replace

import pandas as pd

from attention.experiments.softmax_row import largest_weights
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import share
from pages.shell.runs.results import Experiment
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common, row

ROWS = 500


def drawn(lab: Laboratory) -> Experiment[pd.DataFrame]:
    """The mean of the largest weight at each d_k, of rows with as many words as the one beside it."""
    pairs = row.independent(lab)
    return Experiment(
        ("largest_weights", pairs, lab.lab_seed),
        lambda progress: largest_weights(
            pairs,
            common.D_KS,
            len(row.WORDS),
            ROWS,
            generator=common.generator(lab.lab_seed),
            scales=row.SCALES,
            progress=progress,
        ),
    )


def chart(lab: Laboratory, table: pd.DataFrame) -> Chart:
    """As far as the slider has come, along d_k as the slider has it: by doubling."""
    last, here = common.reach(lab), int(lab.d)
    series = []
    for scale, words_above in (("none", True), ("sqrt_d_k", False)):
        rows = table[(table["scale"] == scale) & (table["d_k"] <= here)]
        name, colour = common.scale_name(scale), common.COLOURS[scale]
        # At the right, where the lines come to; the upper one's words in the free room below it.
        said = (float(last), 0.66 if words_above else 0.37, name)
        series.append(Series(name, rows["d_k"], rows["largest"], colour=colour, is_listed=False, said=said))
        series.append(Series(name, rows["d_k"], rows["largest"], "dots", colour=colour, is_listed=False))
    at = {scale: share(common.value(table, "largest", scale=scale, d_k=here)) for scale in row.SCALES}
    note = say("lab.rows.note", d=lab.d, count=ROWS, keys=len(row.WORDS), raw=at["none"], scaled=at["sqrt_d_k"])
    x = replace(common.d_k_axis(last), range=(0.8, 1.25 * last))
    y = Axis(say("lab.axis.largest"), range=(0, 1.02), ticks=(0, 0.5, 1))
    return Chart("rows", say("lab.rows.title"), series, x, y, note, marks=[(here, f"d_k = {lab.d}")], light=True)
