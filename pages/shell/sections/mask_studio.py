"""The controls of the composed mask: its parts and their parameters."""

import streamlit as st

from pages.shell.layout.part import part
from pages.shell.layout.widgets import widget, widgets
from pages.shell.runs.composing import controls_of, is_combined
from pages.shell.state.page_controls import Masks


def controls() -> None:
    """Draw the controls: the second mask only where one is added, and only parameters that the masks have."""
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
