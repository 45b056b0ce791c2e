"""Dropout: a sentence draw after draw, the sums of rows, and the mean over many draws."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import whole_width
from pages.shell.sections import dropout as tasks
from pages.shell.views import dropout

with st.container(key="foremost"):
    page.title("dropout")
    with st.container(key="first-slider"):
        whole_width("dropout")
    with page.predict("two_arcs", below=True):
        show(dropout.warning, dropout.arcs)
    with st.container(key="why-cut"):
        show(dropout.why)
show(dropout.notes)
page.training_offer("dropout")
with drawer("worth"):
    words, chart = st.columns(2, vertical_alignment="center", gap="large")
    with words:
        show(dropout.worth)
    with chart:
        show(dropout.scores)
with drawer("row_sums", dropout.sums), page.predict("row_sums"):
    show(dropout.sums)
with drawer("one_draw", dropout.draw), page.predict("first_token"):
    show(dropout.draw, dropout.counts)
with drawer("modes", dropout.modes, dropout.mean):
    show(dropout.modes, dropout.difference)
    tasks.many_draws()
    show(dropout.mean)
with drawer("draws", dropout.converging, dropout.rows):
    show(dropout.converging, dropout.rows)
with drawer("numbers"):
    show(dropout.which_p, dropout.ledger)
