"""A state instead of a cache: facts that are told and read again, its memory, its steps, and its matrix beside A."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import state

with st.container(key="foremost"):
    page.title("state")
    show(state.filmstrip)
    # The sliders stand above sentences whose lines come and go, so that they stay under the finger.
    widgets("state_beta", "state_alpha")
    show(state.asked)
with drawer("state_step", state.step, state.memories, "state_fades", "state_at"):
    show(state.memories, state.player)
    widgets("state_fades")
    show(state.step)
with drawer("state_matrices", state.matrices):
    show(state.matrices)
with drawer("state_memory", state.memory):
    show(state.memory, state.wrong, state.models)
