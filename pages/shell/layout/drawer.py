"""Expanders over the parts of a page beyond its main idea."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.widgets import expander
from pages.shell.screen import Place
from pages.shell.state.changes import NAMES, at_first, now
from pages.shell.state.opens_with import lent_by
from pages.shell.state.settings import settings
from pages.shell.views import View


@contextmanager
def drawer(name: str, *holds: View | str, waits: bool = False) -> Iterator[bool]:
    """An expander over the content drawn in this context; yields whether the content is to be drawn now.

    holds: the views, parts and controls in it. It is open from the start if a link names a cell of such a view or part,
    or sets such a control to another value than the page opens with. The stop of a lecture opens it in the browser
    (browser/lecture.js). waits: draw the content only once the expander is open, because Streamlit takes long to draw
    it.
    """
    key = f"drawer-{name}"
    asked = f"{key}-asked"
    # Only the link decides: a visitor who sets a control later sees it already.
    if asked not in st.session_state:
        st.session_state[asked] = any(map(_is_named, holds))
        if waits:
            st.session_state[key] = st.session_state[asked]
    label = say(f"drawer.{name}")
    line = expander(key, label) if waits else st.expander(label, key=key, expanded=st.session_state[asked])
    with line:
        yield not waits or bool(line.open)


def _is_named(held: View | str) -> bool:
    if isinstance(held, str) and held in NAMES:
        here = settings().opened
        return now(held) not in {at_first(held, here), lent_by(here, held)}
    place, part = Place.of(now("cell")), held if isinstance(held, str) else held.name.partition(".")[2]
    return place is not None and place.part == part
