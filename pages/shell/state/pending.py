"""Control values set by code, re-applied until the browser confirms them.

A widget's value lives in the browser and comes back with every run. An interrupted run has not sent the values that its
callbacks set, and a request that left the browser before they arrived brings the old ones back.
"""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shell.state.parameters import UNDER_WAY, set_parameter
from pages.shell.state.registry import OF_FIGURES, default
from pages.shell.state.url import written

_PENDING = "pending_controls"


@dataclass
class _Pending:
    """before: the values that the browser may still hold of each, as text; sent: when a run had drawn them all."""

    values: dict[str, Any]
    before: dict[str, frozenset[str]]
    page: str | None
    sent: float | None = None


class _Run(threading.local):
    """Of the run in this thread: when it was asked for."""

    asked: float | None = None


_run = _Run()


@contextmanager
def asked_now() -> Iterator[None]:
    """A run that is asked for now, and may have to wait before it begins."""
    _run.asked = time.monotonic()
    try:
        yield
    finally:
        _run.asked = None


def set_controls(values: Mapping[str, Any], page: str | None = None) -> None:
    """Set controls, and the page where it matters, from outside their widgets. Those that are set in figures have none:
    they are written into the address."""
    for name in values.keys() & OF_FIGURES:
        set_parameter(name, "" if values[name] == default(name) else written(values[name]))
    values = {name: value for name, value in values.items() if name not in OF_FIGURES}
    old: _Pending | None = st.session_state.get(_PENDING)
    before = dict(old.before) if old else {}
    for name in values:
        held = {written(st.session_state[name])} if name in st.session_state else set()
        also = {written(old.values[name])} if old and name in old.values else set()
        before[name] = before.get(name, frozenset()) | held | also
    st.session_state[_PENDING] = _Pending(
        {**(old.values if old else {}), **values}, before, page or (old.page if old else None)
    )
    st.session_state.update(values)


def restore() -> str | None:
    """Set pending values again that were lost: before any widget is drawn, and before a callback sets more.

    Returns the page that was set with them.
    """
    pending: _Pending | None = st.session_state.get(_PENDING)
    if pending is None:
        return None
    lost = [name for name in pending.values if _lost(pending, name)]
    if _is_over(pending) or (pending.sent is not None and not lost):
        del st.session_state[_PENDING]
        return None
    st.session_state.update({name: pending.values[name] for name in lost})
    return pending.page


def is_chosen(name: str) -> bool:
    """Whether a visitor may have chosen the value of a control: neither what code has set, nor what it had before that,
    brought by a request that left before the browser heard of it."""
    pending: _Pending | None = st.session_state.get(_PENDING)
    if pending is None or name not in pending.values or _is_over(pending):
        return True
    return written(st.session_state[name]) not in {written(pending.values[name]), *pending.before[name]}


def _is_over(pending: _Pending) -> bool:
    asked = time.monotonic() if _run.asked is None else _run.asked
    return pending.sent is not None and asked - pending.sent > UNDER_WAY


def _lost(pending: _Pending, name: str) -> bool:
    if name not in st.session_state:
        # Once it has been drawn, the widget of another page has no value, and needs none.
        return pending.sent is None
    held = written(st.session_state[name])
    return held != written(pending.values[name]) and held in pending.before[name]


def address(name: str, default: Any) -> None:
    """Write the pending value of a slider, which has been drawn, into the address.

    Streamlit does so for widgets that were there before, and a slider with another range is another widget.
    """
    pending: _Pending | None = st.session_state.get(_PENDING)
    context = get_script_run_ctx(suppress_warning=True)
    if pending is None or name not in pending.values or context is None:
        return
    value = st.session_state[name]
    with context.session_state.query_params() as parameters:
        if value == default:
            if parameters.has_param(name):
                parameters.remove_param(name)
        elif not parameters.stored_param_matches_corrected_value(name, [value], "double_array_value"):
            parameters.set_corrected_value(name, [value], "double_array_value")


def is_waiting() -> bool:
    """Whether there are values that the browser may not hold yet, and that only a run of the page brings there."""
    pending: _Pending | None = st.session_state.get(_PENDING)
    return pending is not None


def mark_sent() -> None:
    """Note, when a page or a row has been drawn, that the browser has been sent every pending value."""
    pending: _Pending | None = st.session_state.get(_PENDING)
    if pending is not None and pending.sent is None:
        pending.sent = time.monotonic()
