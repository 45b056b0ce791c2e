"""A and B: the screen that was kept and the one that is shown, as arcs on both sides of one sentence."""

import streamlit as st

from pages.shell.layout import one_change, page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.views import compare

with st.container(key="foremost"):
    page.title("compare")
    show(compare.changing)
    # In one place: a slider, or what a change without one asks.
    with st.container(key="turn"):
        with st.container(key="first-slider"):
            one_change.slider()
        show(compare.instead)
    show(compare.arcs, compare.keeping)
with drawer("compare_differ", compare.differ):
    show(compare.differ)
with drawer("compare_weights", compare.weights):
    show(compare.weights)
with drawer("compare_rows", compare.rows), page.predict("variation"):
    show(compare.rows)
with drawer("compare_output", compare.output):
    show(compare.output)
# Below all that a slider moves: a note that comes and goes pushes nothing.
show(compare.adjusted)
