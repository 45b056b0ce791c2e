"""The way to the next page: a link with one sentence about it."""

from pathlib import Path

import streamlit as st

from pages.shell.i18n import say

_PAGES = Path(__file__).parents[2]


def link(page: str) -> None:
    with st.container(key="following"):
        st.page_link(_PAGES / f"{page}.py", label=say(f"next.{page}"), icon=":material/arrow_forward:")
