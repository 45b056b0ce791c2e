"""Control values set by code, re-applied until the browser confirms them.

The value of a widget lives in the browser and comes back with every run. A run that is interrupted has not told the
browser what its callbacks set, and a request that left before the browser heard of it brings the old values back.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shell.state.url import written

_WISH = "wanted"
# Seconds in which a request may still be under way that left before the browser heard. Later, an old value is a choice.
_UNDER_WAY = 2.0


@dataclass
class _Wish:
    """before: what the browser may still hold of each, as text; told: when a run had drawn it all."""

    values: dict[str, Any]
    before: dict[str, frozenset[str]]
    page: str | None
    told: float | None = None


def want(values: Mapping[str, Any], page: str | None = None) -> None:
    """Set controls, and the page where it matters, from outside their widgets."""
    old: _Wish | None = st.session_state.get(_WISH)
    untold = old if old is not None and old.told is None else None
    before = dict(untold.before) if untold else {}
    for name in values:
        held = {written(st.session_state[name])} if name in st.session_state else set()
        also = {written(untold.values[name])} if untold and name in untold.values else set()
        before[name] = before.get(name, frozenset()) | held | also
    st.session_state[_WISH] = _Wish(
        {**(untold.values if untold else {}), **values}, before, page or (untold.page if untold else None)
    )
    st.session_state.update(values)


def hold() -> str | None:
    """Set again what is wanted and was lost: before any widget is drawn, and before a callback adds to what is held.

    Returns the page that is wanted with it.
    """
    wish: _Wish | None = st.session_state.get(_WISH)
    if wish is None:
        return None
    lost = [name for name in wish.values if _lost(wish, name)]
    if wish.told is not None and (not lost or time.monotonic() - wish.told > _UNDER_WAY):
        del st.session_state[_WISH]
        return None
    st.session_state.update({name: wish.values[name] for name in lost})
    return wish.page


def _lost(wish: _Wish, name: str) -> bool:
    if name not in st.session_state:
        # Once it has been drawn, the widget of another page has no value, and needs none.
        return wish.told is None
    held = written(st.session_state[name])
    return held != written(wish.values[name]) and held in wish.before[name]


def is_waiting() -> bool:
    """Whether there is something that the browser may not hold yet."""
    return _WISH in st.session_state


def told() -> None:
    """At the end of a run: the browser has been sent all that is wanted."""
    wish: _Wish | None = st.session_state.get(_WISH)
    if wish is not None and wish.told is None:
        wish.told = time.monotonic()
