"""Measure the time and memory of attention on this server: briefly when the page opens, and further on request.

The buttons stand outside the part that measures, so that a press ends a running measurement.
"""

import pandas as pd
import streamlit as st
import torch

from attention.device import devices
from attention.experiments.measured_costs import measure
from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout.part import dependent, depends_on
from pages.shell.layout.widgets import widgets
from pages.shell.runs.results import Progress, computed
from pages.shell.state.changes import set_controls
from pages.shell.state.todays_controls import Costs
from pages.shell.views.costs import measured

_LAST = "costs-lap"


def controls() -> None:
    """The sizes that are measured, and the buttons that begin and end a measurement."""
    widgets("cost_heads", "cost_d_k")
    with st.container(horizontal=True):
        asked = measured.ASKED
        label = say("costs.measured.start", most=f"{asked.most:,}", seconds=f"{asked.seconds:.0f}")
        st.button(label, key="costs-start", on_click=_next, icon=":material/timer:")
        st.button(say("costs.measured.stop"), key="costs-stop", on_click=_stop)


def _next() -> None:
    """Begin a measurement under a new number, since the result under an old one is kept."""
    lap = max(int(st.session_state.get(_LAST, 0)), Costs.current().cost_lap) + 1
    st.session_state[_LAST] = lap
    set_controls({"cost_lap": lap})


def _stop() -> None:
    """Return to the brief measurement of the page's opening."""
    set_controls({"cost_lap": 0})


@dependent
def task() -> None:
    """Measure the sizes that the figures wait for."""
    depends_on(lambda: measured.key(Costs.current()))
    chosen = Costs.current()
    effort, key = measured.effort(chosen), measured.key(chosen)

    def make(progress: Progress) -> pd.DataFrame:
        generator = torch.Generator(device=devices()[0]).manual_seed(0)
        return measure(
            measured.sizes(chosen),
            generator=generator,
            repeats=effort.repeats,
            seconds=effort.seconds,
            progress=progress,
        )

    computed(key, make)
    component.computed()
