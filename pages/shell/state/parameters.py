"""Parameters of the URL that no control holds, set by code, and set again until the browser has them.

A request that left the browser before they arrived brings the URL as it was.
"""

import time
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shell.state.reads import Look, note

_SET = "set_parameters"
# Seconds after which the browser holds what was set: a request that left before the values arrived may still come.
UNDER_WAY = 2.0


@dataclass
class _Set:
    """value: empty where there is none; before: what the browser may still hold; sent: when it had been drawn."""

    value: str
    before: frozenset[str]
    sent: float | None = None


@dataclass(frozen=True)
class Parameter(Look):
    """Such a parameter; empty where there is none."""

    name: str

    def now(self) -> str:
        return str(st.query_params.get(self.name, ""))


def parameter(name: str) -> str:
    """The value of such a parameter, noted; empty where there is none."""
    look = Parameter(name)
    note(look)
    return look.now()


def set_parameter(name: str, value: str) -> None:
    """Set such a parameter; an empty value takes it away."""
    unsent: dict[str, _Set] = st.session_state.setdefault(_SET, {})
    earlier = unsent[name].before if name in unsent else frozenset()
    unsent[name] = _Set(value, (earlier | {Parameter(name).now()}) - {value})
    _write(name, value)


def restore_parameters() -> None:
    """Set those again that a request has lost; what a visitor went back to is his."""
    unsent: dict[str, _Set] = st.session_state.get(_SET, {})
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None and context.is_history_navigation:
        unsent.clear()
    for name, held in [*unsent.items()]:
        now = Parameter(name).now()
        if now not in (held.value, *held.before) or _is_over(held):
            del unsent[name]
        elif now != held.value:
            _write(name, held.value)


def mark_parameters_sent() -> None:
    """Note, when something has been drawn, that the browser has been sent them."""
    for held in st.session_state.get(_SET, {}).values():
        if held.sent is None:
            held.sent = time.monotonic()


def _is_over(held: _Set) -> bool:
    return held.sent is not None and time.monotonic() - held.sent > UNDER_WAY


def _write(name: str, value: str) -> None:
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)
