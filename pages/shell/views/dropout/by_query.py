"""Charts along the queries of a run."""

import numpy as np

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.runs.run import Run


def by_query(run: Run, id: str, series: list[Series], title: str, note: str) -> Chart:
    count = run.trace.sizes["query"]
    ticks = [int(tick) for tick in range(1, count + 1, 1 + count // 16)]
    names = [run.labels["query"][tick - 1] for tick in ticks]
    x = Axis(say("dropping.column.query"), range=(0.5, count + 0.5), ticks=ticks, names=names)
    return Chart(id, title, series, x, Axis(title), note)


def positions(run: Run) -> np.ndarray:
    """The numbers of the queries, from 1 as in formulas. If there are fewer queries than keys, the first query is not
    the first token."""
    return np.arange(1, run.trace.sizes["query"] + 1)
