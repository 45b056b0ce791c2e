"""Backward: the quantities that one number flows back to, and its gradient with respect to every step."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.sections.backward import attribution, target, training
from pages.shell.views import backward, files

MATRICES = (backward.weights, backward.scores)
SOFTMAX = (backward.jacobian, backward.hidden_pairs, backward.scaled)
GRADIENTS = (
    backward.projected,
    backward.output,
    backward.normed,
    backward.rotated,
    backward.projections,
    backward.parameters,
    backward.biases,
    backward.inputs,
)

with st.container(key="foremost"):
    page.title("backward")
    show(backward.warning, backward.asked, backward.chosen)
    with st.container(key="first-slider"):
        target.answer_steps()
    show(backward.flow)
show(backward.notes)
page.training_offer("backward")
with drawer("whole_training", "updates"), st.container(key="whole-training"):
    show(backward.whole_lead, backward.played)
    target.updates()
    show(backward.course)
with drawer("goal"):
    target.controls()
with drawer("gradient_maps", *MATRICES), page.predict("hidden"):
    show(*MATRICES)
with drawer("softmax", *SOFTMAX):
    show(*SOFTMAX)
with drawer("gradients", *GRADIENTS):
    show(backward.told, *GRADIENTS)
with drawer("attribution", backward.attributed):
    show(backward.attributed, backward.answered)
    attribution.task()
training.section()
with drawer("takeaway"):
    show(files.of_backward)
with drawer("numbers"):
    show(backward.ledger)
