"""The slider of d_k at the top of the page, with its die. It ends where the axes do; a link can ask for more."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.die import die
from pages.shell.layout.part import part
from pages.shell.layout.widgets import widget
from pages.shell.state.fields import Choice
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common


@part
def of_d_k() -> None:
    knob, last = Laboratory.knobs()["d"], common.reach(Laboratory.current())
    assert isinstance(knob, Choice)
    near = [option for option in knob.options if int(option) <= last]
    slider, beside = st.columns([1, 2], vertical_alignment="bottom")
    with slider:
        widget("d", options=near if last == common.NEAR else knob.options)
    with beside:
        die("lab_seed", say("lab.rows.again"), key="draw-again")
