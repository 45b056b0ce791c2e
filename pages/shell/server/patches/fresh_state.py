"""Keep what is new in the state of a session, not all of it again.

Before each run, Streamlit 1.67 looks up every value of the session by every name and copies it onto itself: some three
hundred, where a move brings a dozen.
"""

from typing import Any

from streamlit.runtime.state.session_state import SessionState

# Not this replacement itself, when the module is loaded anew.
_original: Any = getattr(SessionState._compact_state, "original", SessionState._compact_state)


def install() -> None:
    """Replace `SessionState._compact_state` in this process."""
    SessionState._compact_state = _compact  # type: ignore[method-assign,assignment]


def _compact(state: SessionState) -> None:
    """Keep what is new among what is old."""
    old, id_of = state._old_state, state._get_widget_id
    fresh = {*state._new_widget_state, *map(id_of, state._new_session_state)}
    # A value that was set before there was a widget of its name.
    fresh.update(id for name in old if (id := id_of(name)) != name)
    for name in fresh:
        try:
            old[name] = state[name]
        except KeyError:
            # Of a widget that is not there, as in Streamlit's own.
            continue
    state._new_session_state.clear()
    state._new_widget_state.clear()


_compact.original = _original  # type: ignore[attr-defined]
