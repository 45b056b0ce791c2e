"""What if…: seven questions, one open at a time, each with one part of attention replaced, before and after."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import experiments

with st.container(key="foremost"):
    page.title("experiments")
    page.choice("what_if")
show(experiments.warning, experiments.arcs)
match WhatIf.current().what_if:
    case "tied":
        show(experiments.tied)
    case "bias":
        page.heading("what_if.biased.title")
        widgets("shifted", "shift")
        with page.predict("bias"):
            show(experiments.biased)
    case "basis":
        page.heading("what_if.gauge.title")
        widgets("basis")
        show(experiments.gauged)
    case "sentence":
        show(experiments.another_sentence, experiments.value_sizes)
    case "columns":
        show(experiments.transposed, experiments.columns)
    case "mistakes":
        show(experiments.wrong_axis, experiments.wrong_d)
        with st.container(key="scaled-first"):
            show(experiments.scaled_first)
    case "importance":
        show(experiments.weights_and_values, experiments.key_of_zeros)
with drawer("numbers"):
    show(experiments.ledger)
