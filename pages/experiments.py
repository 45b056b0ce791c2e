"""What if…: seven questions, one open at a time, each with one part of attention replaced, before and after."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import experiments

<<<<<<< HEAD
with st.container(key="foremost"):
    page.title("experiments")
    page.choice("what_if")
show(experiments.warning)
match WhatIf.current().what_if:
    case "tied":
        show(experiments.tied)
    case "bias":
        page.heading("what_if.biased.title")
        widgets("shifted", "shift")
        with page.predict("bias", "scores", "weights", "both"):
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
with page.drawer("numbers"):
    show(experiments.ledger)
=======
OTHER = (experiments.another_sentence, experiments.value_sizes)
AXES = (experiments.transposed, experiments.columns, experiments.wrong_axis)
VALUES = (experiments.weights_and_values, experiments.key_of_zeros)

page.title("experiments")
show(experiments.ledger, experiments.tied)
page.heading("what_if.biased.title")
widgets("shifted", "shift")
with page.predict("bias", "scores", "weights", "both"):
    show(experiments.biased)
with drawer("basis", "basis", experiments.gauged):
    page.heading("what_if.gauge.title")
    widgets("basis")
    show(experiments.gauged)
with drawer("other_inputs", *OTHER):
    show(*OTHER)
with drawer("axes", *AXES):
    show(*AXES)
with drawer("wrong_scale", experiments.wrong_d):
    show(experiments.wrong_d)
    with st.container(key="scaled-first"):
        show(experiments.scaled_first)
with drawer("zero_key", *VALUES):
    show(*VALUES)
>>>>>>> short
