"""Weight is not importance: the weight, the vector that it adds, and the output without the key, for one query."""

import numpy as np
import streamlit as st

from attention.analysis.hidden_keys import importance
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.layout.cell import Cell
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.sources import Source
from pages.shell.sections.models.common import is_ready, shown, two
from pages.shell.state.config import DEFAULTS
from pages.shell.views.steps import focus_of

_KINDS = ("weight", "brought", "hidden")
# Without the weights, of the layer on the first screen, which learned, too.
_run: Source[Run | None] = Source(lambda: shown() if is_ready() else compute(DEFAULTS), key=lambda: shown.key())


def section() -> None:
    _chart(_run)


@row
def _chart(run: Run | None) -> None:
    if run is None:
        return
    cell = Cell.current(run)
    asked = cell.query(run) if cell else None
    query = focus_of(run) if asked is None else asked
    found = importance(run.trace, query, **run.where)
    numbers = {kind: getattr(found, kind).numpy() for kind in _KINDS}
    shares = {kind: each / (each.sum() or 1) for kind, each in numbers.items()}
    tokens, query_name = run.labels["key"], run.labels["query"][query]
    at = np.arange(1, len(tokens) + 1)
    series = [
        Series(say(f"models.importance.of.{kind}"), at, shares[kind], "bars", colour=place)
        for place, kind in enumerate(_KINDS)
    ]
    st.subheader(say("models.importance.title"), anchor=False)
    st.markdown(say("models.importance.another" if is_ready() else "models.importance.ours"))
    x = Axis(say("axis.key"), range=(0.5, len(tokens) + 0.5), ticks=at.tolist(), names=tokens)
    y = Axis(say("models.importance.share"), range=(0, 1.05))
    first = {kind: int(each.argmax()) for kind, each in numbers.items()}
    parts = {
        kind: say("models.importance.first", token=tokens[first[kind]], share=two(shares[kind][first[kind]]))
        for kind in _KINDS
    }
    verdict = "same" if len({*first.values()}) == 1 else "differ"
    if not numbers["brought"].any():
        verdict = "nothing"
    note = say(f"models.importance.verdict.{verdict}", query=query_name, **parts)
    title = say("models.importance.chart", query=query_name)
    component.row("plot-importance", Chart("importance", title, series, x, y, note, say("models.importance.text")))
