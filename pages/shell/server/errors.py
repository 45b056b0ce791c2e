"""Tell a visitor of an error of the app in one sentence; its trace is in the log of the server, and nowhere else."""

import streamlit as st

from pages.shell.i18n import say


def tell(error: Exception) -> bool:
    """In the place of Streamlit's own words, which speak of the operator; it has written to the log by now."""
    st.error(say("app.failed"), icon=":material/error:")
    return True
