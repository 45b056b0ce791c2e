"""Tell a visitor of an error in one sentence; the traceback is only in the log of the server."""

import streamlit as st

from pages.shell.i18n import say


def tell(error: Exception) -> bool:
    """Replaces Streamlit's own message, which addresses the operator. Streamlit has written the log before."""
    st.error(say("app.failed"), icon=":material/error:")
    return True
