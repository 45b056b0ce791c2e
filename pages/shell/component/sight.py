"""Which figures the browser reports as out of sight: a row with no other figures waits until one comes nearer."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

# The mount that tells, and what it tells: the keys of the mounts that are far from the screen.
TELLS, FAR = "plot-sight", "far"
_MOST = 200
# Of the row that this thread draws; None: nobody asks.
_mounted: ContextVar[set[str] | None] = ContextVar("mounted", default=None)


def mounted(key: str) -> None:
    """Note that the row being drawn draws a mount."""
    keys = _mounted.get()
    if keys is not None:
        keys.add(key)


@contextmanager
def mounting() -> Iterator[set[str]]:
    """Collect the keys of all mounts that are drawn in here."""
    keys: set[str] = set()
    token = _mounted.set(keys)
    try:
        yield keys
    finally:
        _mounted.reset(token)


def far() -> frozenset[str]:
    """The keys of the mounts that are out of sight, input from outside like any other; none before the browser says."""
    told = (st.session_state.get(TELLS) or {}).get(FAR)
    return frozenset(key for key in told[:_MOST] if isinstance(key, str)) if isinstance(told, list) else frozenset()
