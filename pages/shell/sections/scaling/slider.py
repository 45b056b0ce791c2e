"""The slider of d_k at the top of the page, with its die. It ends where the axes do; a link can ask for more."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.part import here, part, redraw
from pages.shell.layout.widgets import widget
from pages.shell.state.changes import now, set_controls
from pages.shell.state.fields import Choice, Range
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common


@part
def of_d_k() -> None:
    knob, last = Laboratory.knobs()["d"], common.reach(Laboratory.current())
    assert isinstance(knob, Choice)
    near = [option for option in knob.options if int(option) <= last]
    slider, die = st.columns([1, 2], vertical_alignment="bottom")
    with slider:
        widget("d", options=near if last == common.NEAR else knob.options)
    with die:
        st.button(
            say("lab.rows.again"),
            key="draw-again",
            type="tertiary",
            icon=":material/casino:",
            on_click=_again,
            args=(here(),),
        )


def _again(part: str) -> None:
    """The next seed: everything on the page is drawn anew, and a link shows the same."""
    seeds = Laboratory.knobs()["lab_seed"]
    assert isinstance(seeds, Range)
    set_controls({"lab_seed": (int(now("lab_seed")) + 1) % int(seeds.high + 1)})
    redraw(part)
