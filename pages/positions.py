"""Positions: which scores stay when words move, and how queries turn."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import positions

page.title("positions")
widgets("pos_query", "pos_key", "pos_base")
with page.predict("moved", "all", "relative", "nobody"):
    show(positions.dragged, positions.shifted, positions.fading)
st.markdown(say("positions.turn_lead"))
show(positions.turning)
st.markdown(say("positions.waves_lead"))
with page.predict("beyond", "all_seen", "slow", "fast"):
    widgets("pos_scaling", "pos_factor")
    show(positions.waves)
show(positions.stretched)
st.markdown(say("positions.mixed_lead"))
show(positions.mixed)
show(positions.wrong)
