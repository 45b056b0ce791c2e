"""One token at a time: the cache of keys and values, the work that it saves, and the corner that goes wrong."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import one_token

page.title("one_token")
widgets("token_at")
show(one_token.player, one_token.grows)
with page.predict("cached", "queries", "kv", "all_three"):
    show(one_token.work)
show(one_token.wrong)
with page.predict("corner", "last", "first", "error"):
    show(one_token.corners, one_token.trap)
    with st.container(key="corner-table"):
        show(one_token.against)
