"""What if…: one part of attention replaced at a time, before and after, on the sentence of the screen."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import experiments

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
