"""Results for all visitors are bounded, computed once, and show their progress if they take a while."""

import contextlib

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.runs import results as module
from pages.shell.runs.results import MOST, Results, computed, results


def test_the_results_that_were_not_asked_for_make_room():
    kept = Results(3)
    for key in "abc":
        kept.keep(key, key.upper())
    assert kept.get("a") == "A"
    kept.keep("d", "D")
    assert [kept.get(key) for key in "abcd"] == ["A", None, "C", "D"]


@pytest.mark.parametrize("of", MOST)
def test_every_store_is_bounded_and_there_is_one_of_a_kind(of):
    assert results(of).most == MOST[of]
    assert results(of) is results(of)


def page(patience: float) -> None:
    import streamlit as st

    from pages.shell.runs import results as module

    module.PATIENCE = patience

    def make(progress):
        st.session_state["made"] = st.session_state.get("made", 0) + 1
        for done in (0.25, 1.0, 1.5):
            progress(done)
        return [st.session_state["made"]]

    st.write(module.computed(("test", patience), make))


def test_a_result_is_computed_once():
    at = AppTest.from_function(page, kwargs={"patience": 60.0}).run()
    assert not at.exception
    at.run()
    assert at.session_state["made"] == 1
    other = AppTest.from_function(page, kwargs={"patience": 60.0}).run()
    assert "made" not in other.session_state, "nor by another visitor"


def test_who_asks_while_another_computes_the_same_finds_it_done(monkeypatch):
    def make(progress):
        pytest.fail("another had computed it")

    @contextlib.contextmanager
    def after_another(waiting):
        results("tables").keep("asked twice", "found")
        yield

    monkeypatch.setattr(module, "turn", after_another)
    assert computed("asked twice", make) == "found"


def test_what_takes_longer_than_a_moment_shows_a_bar():
    at = AppTest.from_function(page, kwargs={"patience": -1.0}).run()
    assert not at.exception, "a share beyond 1 is no error"
