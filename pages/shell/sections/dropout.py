"""The control of the number of dropout draws, and draws that take longer than an answer to the browser may."""

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
    """The control of how many keep-masks are drawn."""
    st.subheader(say("dropping.many_title"), anchor=False)
    widgets("draws")
    _draw()


@dependent
def _draw() -> None:
    """Compute the draws, then have the browser ask again for views that wait for them."""
    depends_on(_long)
    if (experiment := _long()) is not None:
        computed(experiment, experiment.made)
        component.computed()


def _long() -> Experiment | None:
    """The draws of the screen, if they take longer than an answer may; else None."""
    config = looked_at("dropout", Config.current())
    run = of_page.run("dropout", config, lambda controls: controls.current())
    experiment = Experiment.of(run, int(Dropout.current().draws))
    return None if experiment.is_quick else experiment
