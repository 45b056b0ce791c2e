"""The questions of *What if* as a path, and the slider of one: each shows its number, or the effect on its arcs once it
is answered."""

import streamlit as st

from pages.shell.i18n import spoken
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.screen import Screen
from pages.shell.state.page_controls import NEAR, WhatIf
from pages.shell.state.settings import texts
from pages.shell.views.experiments import summary as views


@part
def path() -> None:
    def called() -> dict[str, str]:
        return views.called(Screen("experiments", dict(texts()), spoken()))

    depends_on(called)
    widget("what_if", called=called())


@part
def added() -> None:
    """The part to which something is added, and how much: as far as the bars keep their scale, or farther if a link has
    set more."""
    to, much = st.columns(2)
    with to:
        widget("shifted")
    with much:
        steps = range(round(NEAR.low / NEAR.step), round(NEAR.high / NEAR.step) + 1)
        is_near = abs(WhatIf.current().shift) <= NEAR.high
        widget("shift", options=[step * NEAR.step for step in steps] if is_near else None)
