"""What if…: one part of attention replaced at a time, before and after, and a summary of all of them."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.sections import another_basis, questions
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import experiments

ASKED = WhatIf.current().what_if

with st.container(key="foremost"):
    page.title("experiments")
    questions.path()
    show(experiments.why)
    if ASKED == "bias":
        questions.added()
    elif ASKED == "basis":
        another_basis.die()
    show(experiments.warning, experiments.arcs)
match ASKED:
    case "tied":
        with drawer("what_if_tied", experiments.tied):
            show(experiments.tied)
    case "bias":
        with drawer("what_if_bias", experiments.biased), page.predict("bias"):
            show(experiments.biased)
    case "basis":
        with drawer("what_if_basis", experiments.gauged):
            show(experiments.gauged)
    case "sentence":
        with drawer("what_if_sentence"):
            show(experiments.another_sentence, experiments.value_sizes)
    case "columns":
        with drawer("what_if_columns", experiments.transposed, experiments.columns):
            show(experiments.transposed, experiments.columns)
    case "mistakes":
        with drawer("what_if_mistakes", experiments.wrong_axis):
            show(experiments.wrong_axis)
        with drawer("what_if_divisors"), st.container(key="scaled-first"):
            show(experiments.wrong_d, experiments.scaled_first)
    case "importance":
        with drawer("what_if_importance", experiments.key_of_zeros):
            show(experiments.weights_and_values, experiments.key_of_zeros)
with drawer("what_if_all"):
    show(experiments.together)
with drawer("numbers"):
    show(experiments.ledger)
