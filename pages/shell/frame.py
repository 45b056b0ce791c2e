"""Streamlit's main script: what surrounds every page, then the page."""

import gc
from pathlib import Path

import streamlit as st
import torch

from pages.shell import link, plot, sidebar
from pages.shell.text import say
from pages.shell.words import words

PAGES = Path(__file__).resolve().parent.parent
HOME = "walkthrough"
# The pages, in the order of the menu.
ICONS = {
    "walkthrough": "route",
    "masks": "filter_alt",
    "heads": "view_column",
    "order": "shuffle",
    "experiments": "science",
}


@st.cache_resource(show_spinner=False)
def _settle_process() -> None:
    """Once a process. Streamlit collects all garbage after every run: without torch's objects that costs nothing."""
    torch.set_num_threads(1)
    gc.collect()
    gc.freeze()


_settle_process()
st.set_page_config(page_title=say("app.title"), page_icon="🔎", layout="wide")
page = st.navigation(
    [
        st.Page(PAGES / f"{name}.py", title=say(f"page.{name}.title"), icon=f":material/{icon}:", default=name == HOME)
        for name, icon in ICONS.items()
    ]
)
link.settle(page.url_path)
sidebar.draw(page.url_path)
plot.words(words())
link.tell()
page.run()
