"""The controls of many draws of dropout, and the draws that take longer than an answer may."""

import streamlit as st

from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout.part import dependent, depends_on
from pages.shell.layout.widgets import widgets
from pages.shell.runs import of_page
from pages.shell.runs.results import computed
from pages.shell.state.config import Config, looked_at
from pages.shell.state.page_controls import Dropout
from pages.shell.views.dropout.draws import Experiment


def many_draws() -> None:
    """How many are drawn."""
    st.subheader(say("dropping.many_title"), anchor=False)
    widgets("draws")
    _draw()


@dependent
def _draw() -> None:
    """The views that wait for the draws are told when these are there."""
    depends_on(_long)
    if (experiment := _long()) is not None:
        found = computed(experiment, experiment.made)
        component.computed("dropout-drawn", f"{hash(experiment)} {id(found)}")


def _long() -> Experiment | None:
    """The draws of the screen, where an answer cannot wait for them."""
    config = looked_at("dropout", Config.current())
    run = of_page.run("dropout", config, lambda controls: controls.current())
    experiment = Experiment.of(run, int(Dropout.current().draws))
    return None if experiment.is_quick else experiment
