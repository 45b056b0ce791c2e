"""The controls of the mask that is composed: which masks, and the numbers that these have."""

import streamlit as st

from pages.shell.layout.part import part
from pages.shell.layout.widgets import widget, widgets
from pages.shell.runs.composing import controls_of, is_combined
from pages.shell.state.page_controls import Masks


def controls() -> None:
    """A second mask only where one is added, and no number that the masks do not have."""
    _masks()
    widgets("studio_block", *controls_of(Masks.current()))


@part
def _masks() -> None:
    widget("studio_mask")
    how, other = st.columns(2)
    with how:
        widget("studio_how")
    if is_combined(Masks.current()):
        with other:
            widget("studio_second_mask")
