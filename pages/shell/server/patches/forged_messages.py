"""What a message says of a widget that this widget could not say is not heard: the widget has its default.

Streamlit trusts its own frontend, but anybody can write to a websocket. An integer that is not a number, a text where
numbers belong, JSON that does not end: each is an exception before the page begins, and again in the run after it.
"""

from typing import Any

from streamlit.runtime.state.session_state import Serialized, Value, WStates

# Not this guard itself, when the module is loaded anew.
_as_sent = getattr(WStates.__getitem__, "as_sent", WStates.__getitem__)

# The frontend sends the whole number of a number input as what it is.
_ALSO = {"double_value": ("int_value",)}


def guard() -> None:
    """From now on, in the whole process. Streamlit has no place of its own for this: the pages would come too late."""
    WStates.__getitem__ = _heard  # type: ignore[method-assign]


def _heard(states: WStates, id: str) -> Any:
    """The value of a widget. KeyError: there is none, or nobody knows how to read it."""
    sent, widget = states.states.get(id), states.widget_metadata.get(id)
    if not isinstance(sent, Serialized) or widget is None:
        return _as_sent(states, id)
    if sent.value.WhichOneof("value") in (None, widget.value_type, *_ALSO.get(widget.value_type, ())):
        try:
            return _as_sent(states, id)
        # Whatever it may be that reading it leads to.
        except Exception:
            pass
    default = widget.deserializer(None)
    states.states[id] = Value(default)
    return default


_heard.as_sent = _as_sent  # type: ignore[attr-defined]
