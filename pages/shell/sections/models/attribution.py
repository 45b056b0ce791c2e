"""Which token the attention of the opened layer takes one of its outputs from: five methods, side by side."""

import streamlit as st
import torch

from attention.analysis.attribution import Attribution, attribute
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.layout import attribution
from pages.shell.layout.cell import Cell
from pages.shell.layout.rows import row
from pages.shell.runs.results import computed
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source
from pages.shell.sections.models.common import is_ready, place, request, shown
from pages.shell.views.steps import focus_of

# What is attributed belongs to this layer of this text, whichever of its heads is shown.
_of = Source(lambda: (request(), place()[0]))


def section() -> None:
    if is_ready():
        _figures(shown, _of)


@row
def _figures(run: Run | None, of: object) -> None:
    if run is None:
        return
    st.subheader(say("backward.attribution.title"), anchor=False)
    cell = Cell.current(run)
    query = cell.query(run) if cell else None
    at = focus_of(run) if query is None else query
    found = computed(("attribution", of, at), lambda _: _attributed(run, at))
    st.markdown(say("backward.attribution.lead"))
    number, word = digits(found.number, 4), run.labels["query"][at]
    what = say("models.attribution.said", word=word, number=number, heads=run.module.heads)
    attribution.figures(run, found, what, "models-attribution")


def _attributed(run: Run, query: int) -> Attribution:
    """The length of what the layer's attention makes of a token: the number along its own direction."""
    output = run.matrix("projected")[query]
    direction = output / output.norm().clamp_min(torch.finfo(output.dtype).tiny)
    return attribute(run.trace, run.module, query, direction, batch=run.sentence, steps=attribution.STEPS)
