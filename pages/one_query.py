"""One query over a few vectors, before there are queries, keys and values; then one token of four; then all four."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import one_query

page.title("one_query")
st.markdown(say("plane.formula"))
widgets("q_angle", "q_length")
show(one_query.picture, one_query.steps)
with page.predict("length", "flatter", "same", "sharper"):
    show(one_query.temperature)
show(one_query.itself)
st.header(say("by_token.title"), anchor=False)
st.markdown(say("by_token.lead"))
show(one_query.vectors, one_query.products, one_query.numbers, one_query.mix, one_query.all_tokens, one_query.same)
