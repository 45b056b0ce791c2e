"""A widget that asks about itself is told the same as before, without all the others being asked."""

import pytest
from streamlit.runtime.state import SafeSessionState
from streamlit.testing.v1 import AppTest

from pages.shell.server.patches import widget_lookup

widget_lookup.install()


def screen() -> None:
    import streamlit as st
    from streamlit.runtime.state import SafeSessionState
    from streamlit.runtime.state.session_state_proxy import get_session_state

    from pages.shell.server.patches import widget_lookup

    st.session_state["own"] = 7
    st.text_input("text", key="text", value="a")
    st.slider("a slider without a key")
    light = get_session_state().filtered_state
    whole = widget_lookup._original.__get__(get_session_state())
    assert isinstance(get_session_state(), SafeSessionState)
    st.session_state["found"] = {
        "same": dict(light) == whole and len(light) == len(whole) and str(light) == str(whole),
        "each": all(name in light and light[name] == value for name, value in whole.items()),
        "strange": "strange" in light,
        "keys": set(whole) >= {"own", "text"} and light is not whole and not isinstance(light, dict),
    }
    st.session_state["choice"] = None
    st.selectbox("choice", ["x", "y"], key="choice")


@pytest.fixture(scope="module")
def app():
    return AppTest.from_function(screen).run()


def test_it_says_what_the_whole_state_says(app):
    assert not app.exception
    assert app.session_state["found"] == {"same": True, "each": True, "strange": False, "keys": True}


def test_a_choice_that_was_set_to_nothing_is_empty(app):
    assert app.selectbox(key="choice").value is None


def test_one_widget_does_not_ask_all_the_others(monkeypatch):
    def refuse(state: SafeSessionState) -> None:
        raise AssertionError("all of them")

    def one() -> None:
        import streamlit as st

        st.text_input("one", key="one")
        st.selectbox("other", ["x"], key="other")
        st.number_input("third", key="third")
        st.text_area("fourth", key="fourth")

    app = AppTest.from_function(one)
    monkeypatch.setattr(widget_lookup, "_original", property(refuse))
    assert not app.run().run().exception
