"""The questions of *What if* as a path: each with its number, or with a tick once it is answered; what is added."""

import streamlit as st

from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.state.page_controls import NEAR, WhatIf
from pages.shell.views.experiments import path as views


@part
def path() -> None:
    depends_on(views.called)
    widget("what_if", called=views.called())


@part
def added() -> None:
    """To what, and how much: as far as the bars keep their scale, or farther where a link has set more."""
    to, much = st.columns(2)
    with to:
        widget("shifted")
    with much:
        steps = range(round(NEAR.low / NEAR.step), round(NEAR.high / NEAR.step) + 1)
        is_near = abs(WhatIf.current().shift) <= NEAR.high
        widget("shift", options=[step * NEAR.step for step in steps] if is_near else None)
