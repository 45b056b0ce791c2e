"""The address of the app as this visitor's browser knows it, because a server behind a proxy does not know it."""

import streamlit as st

from pages.shell.lectures.format import pages


def app_address() -> str:
    """The address of the app with a slash at its end; a slash alone if no browser has reported it."""
    address = (st.context.url or "").partition("?")[0].rstrip("/")
    above, _, last = address.rpartition("/")
    return f"{above if last in pages() else address}/"
