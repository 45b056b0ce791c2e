"""Fewer keys: query heads that share a key head, or make keys from a short vector, and the savings."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import marked, whole_width, widgets
from pages.shell.views import fewer_keys

with st.container(key="foremost"):
    page.title("fewer_keys")
    with st.container(key="first-slider"), st.container(key="two-sliders"):
        heads, training, play = st.columns([4, 4, 5], gap="medium")
        with heads:
            marked("kv_of_8")
        with training:
            marked("kv_trained", 4)
        with play, st.container(key="beside-sliders"):
            show(fewer_keys.played)
            guess = st.container(key="guess-beside")
with page.predict("shared", at=guess):
    show(fewer_keys.shared)
show(fewer_keys.blurred, fewer_keys.matters)
with drawer("repair", fewer_keys.repaired):
    whole_width("kv_sentence")
    show(fewer_keys.repaired, fewer_keys.traded)
with drawer("shared", "fewer-keys"):
    widgets("asks")
    show(fewer_keys.one, fewer_keys.tiled)
with drawer("cached", "own_layers", "own_d_k"):
    show(fewer_keys.models)
    widgets("own_layers", "own_d_k")
    show(fewer_keys.own)
with drawer("latent", fewer_keys.kept, "d_c"):
    show(fewer_keys.latent_lead)
    with page.predict("latent"):
        widgets("d_c")
        show(fewer_keys.kept, fewer_keys.lost)
    show(fewer_keys.latent_wrong)
