"""Headings that open. Content is computed only once a visitor opens one, or a link names one of its controls."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.widgets import expander
from pages.shell.lectures import player
from pages.shell.state.page_controls import Laboratory
from pages.shell.state.reader import Reader
from pages.shell.state.settings import texts


@contextmanager
def heading(section: str, controls: Sequence[str] = (), figures: Sequence[str] = ()) -> Iterator[bool]:
    """A heading over the content drawn in this context; yields whether it is open, and its content is to be
    computed."""
    key = f"open-{section}"
    if _asked(key, controls, figures):
        st.session_state[key] = True
    below = expander(key, say(f"lab.{section}.title"))
    with below:
        st.markdown(say(f"lab.{section}.lead"))
        yield bool(below.open)


def _asked(key: str, controls: Sequence[str], figures: Sequence[str]) -> bool:
    """Whether a link, or a new stop of the lecture, shows something below a heading."""
    lecture, reader = player.running(), Reader.current()
    stop = lecture.stops[min(reader.stop, len(lecture.stops)) - 1] if lecture else None
    here, came = (reader.lecture, reader.stop) if stop else None, f"{key}-stop"
    is_first, is_new_stop = key not in st.session_state, st.session_state.get(came) != here
    st.session_state[came] = here
    if stop and (is_first or is_new_stop) and (stop.figure in figures or any(name in stop.screen for name in controls)):
        return True
    lab, default = Laboratory.current(), Laboratory()
    named = (name in texts() or getattr(lab, name) != getattr(default, name) for name in controls)
    return is_first and any(named)
