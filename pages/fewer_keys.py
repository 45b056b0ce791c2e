"""Fewer keys: query heads that share a key head, and what that saves."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections import fewer_keys

page.title("fewer_keys")
widgets("kv_of_8", "asks")
with page.predict("shared", "cache", "scores", "both"):
    fewer_keys.readers()
st.markdown(say("fewer.tiled"))
fewer_keys.tiled()
st.markdown(say("fewer.cache_lead"))
fewer_keys.cache_of_models()
widgets("own_layers", "own_d_k")
fewer_keys.own()
