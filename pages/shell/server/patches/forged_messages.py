"""Replace a value in a message that its widget could not hold by the widget's default.

Streamlit trusts its own frontend, but anybody can write to a websocket. An integer that is not a number, a text where
numbers belong, JSON that does not end: each is an exception before the page begins, and again in the run after it.
"""

from typing import Any

from streamlit.runtime.state.session_state import Serialized, Value, WStates

# Not this replacement itself, when the module is loaded anew.
_original = getattr(WStates.__getitem__, "original", WStates.__getitem__)

# The frontend sends the whole number of a number input as what it is.
_ALSO = {"double_value": ("int_value",)}


def install() -> None:
    """Replace `WStates.__getitem__` in this process: Streamlit reads a message before any page runs."""
    WStates.__getitem__ = _getitem  # type: ignore[method-assign]


def _getitem(states: WStates, id: str) -> Any:
    """The value of a widget. KeyError: it has none, or no metadata to read it by."""
    sent, widget = states.states.get(id), states.widget_metadata.get(id)
    if not isinstance(sent, Serialized) or widget is None:
        return _original(states, id)
    kind = sent.value.WhichOneof("value")
    if kind in (None, widget.value_type, *_ALSO.get(widget.value_type, ())):
        try:
            value = _original(states, id)
        # A deserializer may raise anything.
        except Exception:
            pass
        else:
            # A choice that nobody has made has no kind, which Streamlit would take for that of the widget.
            if kind is None:
                states.set_widget_metadata(widget)
            return value
    default = widget.deserializer(None)
    states.states[id] = Value(default)
    return default


_getitem.original = _original  # type: ignore[attr-defined]
