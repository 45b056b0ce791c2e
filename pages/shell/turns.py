"""Turns at what keeps a processor busy: a few at a time, so that no experiment holds up the other visitors."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator

import streamlit as st

# One processor is left for those who only move a slider.
AT_ONCE = max(1, (os.cpu_count() or 1) - 1)
_MOMENT = 0.2


@st.cache_resource(show_spinner=False)
def _places() -> threading.BoundedSemaphore:
    return threading.BoundedSemaphore(AT_ONCE)


@contextlib.contextmanager
def turn(waiting: Callable[[], object]) -> Iterator[None]:
    """Hold one of the places. waiting: called as long as there is none.

    If it draws, a visitor who has moved on gives up there. A visitor runs one page at a time, so that there are never
    more who wait than visitors.
    """
    places = _places()
    while not places.acquire(timeout=_MOMENT):
        waiting()
    try:
        yield
    finally:
        places.release()
