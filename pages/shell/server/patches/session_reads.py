"""Read the session without an exception for each place where a value is not.

Streamlit 1.67 looks for a value in four places one after the other, and each that does not have it raises; a value that
is nowhere ends in a message that nobody reads. A move looks some two hundred times into the session.
"""

from typing import Any

from streamlit.runtime.state import SessionState, SessionStateProxy, get_session_state
from streamlit.runtime.state.presentation import apply_presenter

# Not these replacements themselves, when the module is loaded anew.
_original_item: Any = getattr(SessionState._getitem, "original", SessionState._getitem)
_original_get: Any = getattr(SessionStateProxy.get, "original", SessionStateProxy.get)


def install() -> None:
    """Replace what reads a value of the session, in this process."""
    SessionState._getitem = _getitem  # type: ignore[method-assign,assignment]
    SessionStateProxy.get = _get  # type: ignore[method-assign,assignment]


def _getitem(state: SessionState, widget_id: str | None, user_key: str | None) -> Any:
    """The value of a widget or of a name. KeyError: it has none."""
    if user_key in state._new_session_state:
        return state._new_session_state[user_key]
    if widget_id in state._new_widget_state.states:
        try:
            return state._new_widget_state[widget_id]
        except KeyError:
            # What was sent for a widget that is not there.
            pass
    old = state._old_state
    return old[widget_id] if widget_id in old else old[user_key]  # type: ignore[index]


def _get(proxy: SessionStateProxy, key: str, default: Any = None) -> Any:
    """As `Mapping.get`."""
    safe = get_session_state()
    safe._yield_callback()
    with safe._lock:
        state = safe._state
        widget_id = state._get_widget_id(key)
        try:
            value = state._getitem(widget_id, key)
        except KeyError:
            return default
        return apply_presenter(state, widget_id, value)


_getitem.original = _original_item  # type: ignore[attr-defined]
_get.original = _original_get  # type: ignore[attr-defined]
