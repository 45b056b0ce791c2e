"""A and B: the screen that was kept beside the one that is shown, as arcs, controls that differ, and matrices."""

import streamlit as st

from pages.shell.layout import page, pin
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.views import compare

with st.container(key="foremost"):
    page.title("compare")
    show(compare.arcs)
show(compare.example)
pin.swap()
show(compare.adjusted, compare.differ, compare.weights)
with page.predict("variation"), drawer("compare_rows", compare.rows):
    show(compare.rows)
with drawer("compare_output", compare.output):
    show(compare.output)
