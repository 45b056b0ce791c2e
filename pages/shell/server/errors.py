"""What a visitor is told of an error that is ours. What it was is in the log of the server, and nowhere else."""

import streamlit as st

from pages.shell.i18n import say


def tell(error: Exception) -> bool:
    """In the place of Streamlit's own words, which speak of the operator; it has written to the log by now."""
    st.error(say("app.failed"), icon=":material/error:")
    return True
