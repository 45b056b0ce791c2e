"""Where the app is, as the browser of this visitor knows it: behind a proxy, no server does."""

import streamlit as st

from pages.shell.lectures.format import pages


def app_address() -> str:
    """The address of the app with a slash at its end; a slash alone where no browser has said it."""
    address = (st.context.url or "").partition("?")[0].rstrip("/")
    above, _, last = address.rpartition("/")
    return f"{above if last in pages() else address}/"
