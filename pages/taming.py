"""Taming scores: a cap, QK-norm, a sink, a gate, one head less another, and a temperature that grows with the text."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.sections import query_length
from pages.shell.views import taming

with st.container(key="foremost"):
    page.title("taming")
    with st.container(key="first-slider"), st.container(key="length"):
        query_length.slider()
    show(taming.row)
page.training_offer("taming")
with drawer("scores", taming.scores):
    show(taming.scores_lead, taming.scores)
with drawer("norm", taming.norm), page.predict("stretched"):
    show(taming.norm_lead, taming.norm)
with drawer("cap", taming.cap, "taming_cap", "taming_after"), page.predict("leak"):
    show(taming.cap_lead)
    widgets("taming_cap", "taming_after")
    show(taming.cap)
with drawer("sink", taming.sink, "taming_sink"), page.predict("left_over"):
    show(taming.sink_lead)
    widgets("taming_sink")
    show(taming.sunk)
    show(taming.sink)
with drawer("gate", taming.gate, "taming_gate", "taming_gate_of"):
    show(taming.gate_lead)
    widgets("taming_gate", "taming_gate_of")
    show(taming.gate)
with drawer("pair", taming.pair, "taming_lambda"):
    show(taming.pair_lead)
    widgets("taming_lambda")
    show(taming.pair)
with drawer("length", taming.length, "taming_n"), page.predict("drown"):
    show(taming.length_lead)
    widgets("taming_n")
    show(taming.length)
with drawer("remedies", taming.every):
    show(taming.every_lead, taming.every)
with drawer("numbers"):
    show(taming.ledger)
