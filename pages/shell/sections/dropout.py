"""The controls of many draws of dropout, and the draws that take longer than an answer may."""

import streamlit as st

from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widgets
from pages.shell.runs import of_page
from pages.shell.runs.results import computed
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source, shared
from pages.shell.state.config import looked_at
from pages.shell.state.page_controls import Dropout
from pages.shell.views.dropout.draws import Experiment


@Source
def shown() -> Run:
    """The run of the screen."""
    return of_page.run("dropout", looked_at("dropout", shared()), lambda controls: controls.current())


@Source
def asked() -> Experiment:
    """The draws of the screen."""
    return Experiment.of(shown(), int(Dropout.current().draws))


def many_draws() -> None:
    """How many are drawn."""
    st.subheader(say("dropping.many_title"), anchor=False)
    widgets("draws")
    _draw(asked)


@row
def _draw(experiment: Experiment) -> None:
    """The views that wait for the draws are told when these are there."""
    if not experiment.is_quick:
        found = computed(experiment, experiment.made)
        component.computed("dropout-drawn", f"{hash(experiment)} {id(found)}")
