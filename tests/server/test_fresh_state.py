"""What is new in a session is kept, as if all of it were copied."""

from copy import deepcopy

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata

from pages.shell.server.patches import fresh_state


def _state() -> SessionState:
    """A session with a value of each kind."""
    state = SessionState()
    state._old_state.update({"own": 2, "again": 3, "$$old-slider": 5, "early": 7})
    # A value that was set before there was a widget of its name, and one that both have.
    for name, id in (("slider", "$$old-slider"), ("early", "$$late"), ("again", "$$again")):
        state._key_id_mapper[name] = id
    state._new_session_state.update({"fresh": 11, "again": 13})
    for id, value in (("$$new", 17.0), ("$$late-too", 19.0), ("$$without", 23.0)):
        state._new_widget_state.set_widget_from_proto(WidgetState(id=id, double_value=value))
        if id != "$$without":
            state._new_widget_state.set_widget_metadata(
                WidgetMetadata(id, lambda sent: sent, lambda value: value, "double_value")
            )
    return state


@pytest.mark.parametrize("asks", ["once", "twice"])
def test_what_is_kept_is_what_streamlit_keeps(asks):
    kept = []
    for compact in (fresh_state._original, fresh_state._compact):
        state = _state()
        compact(state)
        if asks == "twice":
            state._new_session_state["own"] = 29
            compact(state)
        # What was sent for a widget that is not there yet waits for it.
        kept.append((deepcopy(state._old_state), dict(state._new_session_state), list(state._new_widget_state.states)))
    assert kept[0] == kept[1]
    assert kept[1][0].items() >= {"fresh": 11, "$$new": 17.0, "own": 2 if asks == "once" else 29}.items()


def test_what_is_old_is_not_looked_up_again(monkeypatch):
    state = _state()
    looked: list[str] = []
    plain = SessionState.__getitem__
    monkeypatch.setattr(SessionState, "__getitem__", lambda self, key: looked.append(key) or plain(self, key))
    fresh_state._compact(state)
    assert "own" not in looked
    assert "$$old-slider" not in looked
    assert "fresh" in looked
