"""A state instead of a cache: what is written under a key and read again, its matrix beside A, and its memory."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import state

with st.container(key="foremost"):
    page.title("state")
    with st.container(key="memories"):
        show(state.memories, state.player)
    widgets("state_beta", "state_alpha", "state_fades")
show(state.matrices)
show(state.memory)
with drawer("state_step", state.step):
    show(state.step)
