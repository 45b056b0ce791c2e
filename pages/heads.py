"""Several heads look at the same words, each on its own; one projection is cut into bands, one for each head."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import heads

with st.container(key="foremost"):
    page.title("heads")
    show(heads.warning)
    show(heads.arcs)
# Below the slider of heads, which the picture follows: the switches and their effect, side by side.
with st.container(key="switched"):
    switches, answers = page.halves()
    with switches:
        show(heads.switches)
    with answers:
        show(heads.answers, heads.votes)
with st.container(key="told-effect"):
    show(heads.effect)
    with st.container(key="notes", horizontal=True, vertical_alignment="center"):
        show(heads.notes)
        page.training_offer("heads")
with drawer("counts", "fixed_d_k"):
    widgets("fixed_d_k")
    with page.predict("heads"):
        show(heads.parameters)
with drawer("every_head", heads.every_head, heads.one_head, heads.joined):
    show(heads.every_head, heads.one_head, heads.joined)
with drawer("split", heads.split, heads.average, heads.contributions):
    show(heads.split, heads.average, heads.contributions)
with drawer("ranks", heads.facts, heads.ranks):
    show(heads.facts, heads.ranks)
with drawer("numbers"):
    show(heads.ledger, heads.tests)
