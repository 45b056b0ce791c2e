"""What if…: one part of attention replaced at a time, before and after, on the sentence of the screen."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import experiments

page.title("experiments")
show(experiments.ledger, experiments.tied)
page.heading("what_if.biased.title")
widgets("shifted", "shift")
with page.predict("bias", "scores", "weights", "both"):
    show(experiments.biased)
page.heading("what_if.gauge.title")
widgets("basis")
show(
    experiments.gauged,
    experiments.another_sentence,
    experiments.value_sizes,
    experiments.transposed,
    experiments.columns,
    experiments.wrong_axis,
    experiments.wrong_d,
)
with st.container(key="scaled-first"):
    show(experiments.scaled_first)
show(experiments.weights_and_values, experiments.key_of_zeros)
