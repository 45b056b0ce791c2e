"""The switch of the pipeline between steps and gradients."""

from pathlib import Path

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widget
from pages.shell.runs.backward import Goal
from pages.shell.runs.sources import Source
from pages.shell.state.page_controls import Walkthrough

# The page that has every gradient.
_BACKWARD = Path(__file__).parents[2] / "backward.py"


@row
def switch() -> None:
    """Whether the tiles are gradients, and where the whole of the gradients is."""
    with st.container(key="pipeline-backward", horizontal=True, vertical_alignment="center"):
        widget("backward")
        if Walkthrough.held("backward"):
            at = Walkthrough.held("backward_of")
            asked = {"goal_at": at} if at else None
            st.page_link(_BACKWARD, label=say("backward.all"), icon=":material/undo:", query_params=asked)


def _goal() -> Goal:
    return Goal.of("cell", Walkthrough.current().backward_of)


# The number that is differentiated, where gradients are shown.
goal = Source(lambda: _goal() if Walkthrough.held("backward") else None)
