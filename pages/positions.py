"""Positions: which scores stay when words move, and how queries turn."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections import positions

page.title("positions")
widgets("pos_query", "pos_key", "pos_base")
with page.predict("moved", "all", "relative", "nobody"):
    positions.moved()
st.markdown(say("positions.waves_lead"))
positions.waves()
st.markdown(say("positions.mixed_lead"))
positions.mixed()
st.markdown(say("positions.wrong"))
positions.wrong()
