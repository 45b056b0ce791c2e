"""A link from the gradients of a pipeline to the page about all gradients."""

from pathlib import Path

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.part import dependent, depends_on
from pages.shell.state.page_controls import Walkthrough

_PAGE = Path(__file__).parents[2] / "backward.py"


@dependent
def link() -> None:
    """The link; nothing while the tiles show steps."""
    if Walkthrough.current().backward:
        depends_on(_at)
        asked = {"goal_at": _at()} if _at() else None
        st.page_link(_PAGE, label=say("backward.all"), icon=":material/undo:", query_params=asked)


def _at() -> str:
    return Walkthrough.current().backward_of
