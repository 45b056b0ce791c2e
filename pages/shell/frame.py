"""Streamlit's main script: what surrounds every page, then the page."""

import gc
from pathlib import Path

import streamlit as st
import torch

from pages.shell import link, plot, sidebar
from pages.shell.controls import UNUSED
from pages.shell.text import say
from pages.shell.words import words

PAGES = Path(__file__).resolve().parent.parent


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
        st.Page(PAGES / "walkthrough.py", title=say("page.walkthrough.title"), icon=":material/route:", default=True),
        st.Page(PAGES / "masks.py", title=say("page.masks.title"), icon=":material/filter_alt:"),
        st.Page(PAGES / "heads.py", title=say("page.heads.title"), icon=":material/view_column:"),
    ]
)
link.settle()
sidebar.draw(UNUSED.get(page.url_path, frozenset()))
plot.words(words())
link.tell()
page.run()
