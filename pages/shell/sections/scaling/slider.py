"""The slider of d_k at the top of the page: as far as the linear axes reach, or farther if a link asks for more."""

import streamlit as st

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
    with st.columns([1, 2])[0]:
        widget("d", options=near if last == common.NEAR else knob.options)
