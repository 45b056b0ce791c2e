"""Fewer keys: query heads that share a key head, or make keys from a short vector, and what that saves."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections.fewer_keys import cached, latent, readers

page.title("fewer_keys")
widgets("kv_of_8", "asks")
with page.predict("shared", "cache", "scores", "both"):
    readers.readers()
    readers.one()
st.markdown(say("fewer.tiled"))
readers.tiled()
st.markdown(say("fewer.cache_lead"))
cached.models()
widgets("own_layers", "own_d_k")
cached.own()
st.markdown(say("fewer.latent.lead"))
with page.predict("latent", "nothing", "rank", "order"):
    widgets("d_c")
    latent.latent()
    latent.costs()
st.markdown(say("fewer.latent.wrong"))
