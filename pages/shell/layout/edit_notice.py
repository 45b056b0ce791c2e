"""Mark on every page which numbers were typed over by hand, with a button to reset them."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.runs.run import Run
from pages.shell.state.pending import set_controls
from pages.shell.views.typed import counted


def reset_all() -> None:
    set_controls({"edited": ""})


def mark(run: Run) -> None:
    """Say what differs from the preset, with a button to reset it."""
    at_home = [one for one in run.typed if one not in run.homeless]
    if at_home:
        with st.container(horizontal=True, vertical_alignment="center", key="by-hand-mark"):
            st.markdown(say("by_hand.mark", parts=counted(run, at_home)), width="content")
            st.button(
                say("by_hand.reset_all"), key="unedit", on_click=reset_all, type="tertiary", icon=":material/undo:"
            )


def homeless(run: Run) -> None:
    """Warn of typed numbers whose places do not exist at these sizes."""
    if run.homeless:
        st.warning(say("by_hand.homeless", parts=counted(run, run.homeless)), icon=":material/info:")
