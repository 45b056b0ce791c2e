"""Positions: which scores stay when words move, and how queries turn."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import positions

with st.container(key="foremost"):
    page.title("positions")
    show(positions.dragged, positions.kinds)
with drawer("pairs", positions.turning, positions.pairs, "pos_base", "pos_turning"):
    widgets("pos_base", "pos_turning")
    show(positions.turning, positions.pairs)
with drawer("moved", positions.shifted), page.predict("moved"):
    show(positions.shifted)
with drawer("alibi", positions.fading):
    show(positions.fading)
with drawer("waves", "pos_scaling", "pos_factor"):
    st.markdown(say("positions.waves_lead"))
    with page.predict("beyond"):
        widgets("pos_scaling", "pos_factor")
        show(positions.waves)
    show(positions.stretched)
with drawer("conventions", positions.mixed):
    st.markdown(say("positions.mixed_lead"))
    show(positions.mixed, positions.wrong)
