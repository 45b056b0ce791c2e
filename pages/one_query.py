"""One query over a few vectors, before there are queries, keys and values; then one token of four; then all four."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import one_query

BY_TOKEN = (
    one_query.vectors,
    one_query.products,
    one_query.numbers,
    one_query.mix,
    one_query.all_tokens,
    one_query.same,
)

with st.container(key="foremost"):
    page.title("one_query")
    show(one_query.picture)
# Each slider stands beside its chart: q is dragged in the picture, which has its numbers.
with page.predict("length"), drawer("temperature", one_query.temperature):
    widgets("q_length")
    show(one_query.temperature)
with drawer("around", one_query.around):
    widgets("q_angle")
    show(one_query.around)
with drawer("in_numbers", one_query.steps):
    st.markdown(say("plane.formula"))
    show(one_query.steps)
with drawer("itself", one_query.itself):
    show(one_query.itself)
with drawer("by_token", *BY_TOKEN):
    st.header(say("by_token.title"), anchor=False)
    st.markdown(say("by_token.lead"))
    show(*BY_TOKEN)
