"""A and B: the kept screen and the present one, as arcs on both sides of one sentence."""

import streamlit as st

from pages.shell.layout import one_change, page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.views import compare

with st.container(key="foremost"):
    page.title("compare")
    show(compare.changing)
    # One place for two alternatives: a slider, or the question about a change without a slider.
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
# This note comes and goes, so it stands below all that a slider moves.
show(compare.adjusted)
