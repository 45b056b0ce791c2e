"""All masks side by side: which step is shown, and whether all of them use the same layer."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source
from pages.shell.state.config import LEARNED
from pages.shell.state.page_controls import Masks

chosen = Source(lambda: Masks.current().every_mask)


@row
def layers(run: Run) -> None:
    """A word where each mask has a layer of its own, which was trained with it."""
    if run.config.preset == LEARNED and not run.config.afterwards:
        st.markdown(say("mask.own_layers", control=say("control.afterwards.label")))
