"""The die that draws another basis: which one it is has a number in the link, and no meaning as a quantity."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.part import here, part, redraw
from pages.shell.state.changes import now, set_controls
from pages.shell.state.fields import Range
from pages.shell.state.page_controls import WhatIf


@part
def die() -> None:
    st.button(
        say("control.basis.label"),
        key="another-basis",
        help=say("control.basis.help"),
        type="tertiary",
        icon=":material/casino:",
        on_click=_again,
        args=(here(),),
    )


def _again(part: str) -> None:
    """The next number, after the last one the first."""
    bases = WhatIf.knobs()["basis"]
    assert isinstance(bases, Range)
    set_controls({"basis": int(now("basis")) % int(bases.high) + 1})
    redraw(part)
