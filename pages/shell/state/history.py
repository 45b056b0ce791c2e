"""Who goes back or forward in the browser gets the screen of that address.

Streamlit gives a bound widget the value of the address when it draws it. What is read of a control before that is still
the screen that was left, and what code has set a moment ago would come back.
"""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shell.state.config import Config, looks
from pages.shell.state.controls import Controls
from pages.shell.state.pending import forget
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, default


def is_from_history() -> bool:
    """Whether this run is one that Back or Forward asked for."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def restore_from_history(*screens: type[Controls]) -> None:
    """Take the controls of these screens from the address, before anything reads them."""
    if not is_from_history():
        return
    forget()
    asked = st.query_params
    for name in (name for screen in screens for name in screen.knobs()):
        value = default(name)
        st.session_state[name] = ALL_FIELDS[name].nearest(asked[name], value) if name in asked else value


def drawn_by(page: str) -> tuple[type[Controls], ...]:
    """The screens whose controls a page draws, beside the reader's settings."""
    return (*((Config,) if looks(page) else ()), *((BY_PAGE[page],) if page in BY_PAGE else ()))
