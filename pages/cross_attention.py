"""Cross-attention: queries from one text, keys and values from another, and rectangular weights."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.sections import cross_mask
from pages.shell.views import cross_attention as cross

with st.container(key="foremost"):
    page.title("cross_attention")
    show(cross.warning)
    with page.predict("dropped", below=True):
        show(cross.arcs)
    show(cross.told, cross.again)
with drawer("translation"):
    show(cross.answers)
with drawer("two", "cross_mask"):
    with page.predict("rectangle"):
        show(cross.crossed, cross.sums)
    show(cross.two_texts, cross.projections, cross.scores)
    cross_mask.controls()
    show(cross.mask, cross.dropout, cross.joined)
with drawer("self_attention", cross.same):
    show(cross.same)
with drawer("numbers"):
    show(cross.ledger)
