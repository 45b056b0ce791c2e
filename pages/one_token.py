"""One token at a time: the cache of keys and values, its cost and its saving, and the corner that goes wrong."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import whole_width
from pages.shell.views import one_token

with st.container(key="foremost"):
    page.title("one_token")
    played, dragged = page.transport()
    with played:
        show(one_token.player)
    with dragged:
        whole_width("token_at")
    show(one_token.balance)
    show(one_token.arcs)
    show(one_token.why)
with page.predict("cached"), drawer("work", one_token.work):
    show(one_token.work)
with drawer("one_pass", one_token.grows):
    show(one_token.grows)
with drawer("flag", one_token.trap), page.predict("corner"):
    show(one_token.corners)
    with st.container(key="trap"):
        show(one_token.trap, one_token.against)
show(one_token.wrong)
