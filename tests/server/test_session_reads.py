"""A look into the session finds what Streamlit's own finds."""

from itertools import product

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState, SessionStateProxy
from streamlit.testing.v1 import AppTest

from pages.shell.server.patches import session_reads


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(SessionState, "_getitem", SessionState._getitem)
    monkeypatch.setattr(SessionStateProxy, "get", SessionStateProxy.get, raising=False)
    session_reads.install()


def screen() -> None:
    import streamlit as st

    from pages.shell.server.patches import session_reads

    st.session_state.setdefault("own", 7)
    st.session_state["set"] = None
    st.text_input("text", key="text", value="a")
    st.slider("slider", 0, 10, 3, key="slider")
    names = ("own", "set", "text", "slider", "nowhere", "found")
    light = {name: st.session_state.get(name, "default") for name in names}
    whole = {name: session_reads._original_get(st.session_state, name, "default") for name in names}
    st.session_state["found"] = light, whole, st.session_state.get("nowhere")


def test_it_finds_what_streamlit_finds(installed):
    app = AppTest.from_function(screen).run()
    app.slider(key="slider").set_value(5)
    app.text_input(key="text").input("b").run()
    assert not app.exception
    light, whole, nowhere = app.session_state["found"]
    assert light == whole
    assert [light[name] for name in ("own", "set", "text", "slider", "nowhere")] == [7, None, "b", 5, "default"]
    assert nowhere is None


@pytest.mark.parametrize(("new", "sent", "old_id", "old_key"), list(product((False, True), repeat=4)))
@pytest.mark.parametrize("names", [("$$id", "key"), ("$$id", None), (None, "key")])
def test_of_two_values_it_takes_the_one_that_streamlit_takes(new, sent, old_id, old_key, names):
    state = SessionState()
    if new:
        state._new_session_state["key"] = 2
    if sent:
        # Of a widget that is not there.
        state._new_widget_state.set_widget_from_proto(WidgetState(id="$$id", double_value=7.0))
    if old_id:
        state._old_state["$$id"] = 3
    if old_key:
        state._old_state["key"] = 5

    def found(look):
        try:
            return look(state, *names)
        except KeyError:
            return "none"

    assert found(session_reads._getitem) == found(session_reads._original_item)
