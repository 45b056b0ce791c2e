"""One token at a time: the cache of keys and values, the work that it saves, and the corner that goes wrong."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections import one_token

page.title("one_token")
widgets("token_at")
one_token.player()
one_token.grows()
with page.predict("cached", "queries", "kv", "all_three"):
    one_token.work()
st.markdown(say("one_token.wrong"))
with page.predict("corner", "last", "first", "error"):
    one_token.corners()
    one_token.trap()
