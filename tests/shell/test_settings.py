"""The settings of a visitor: who sets them, the limits of late messages, and the messages to the browser."""

import pytest
import streamlit as st

from pages.shell.state import changes
from pages.shell.state.changes import at_first, choose, give, now, received, set_controls, told
from pages.shell.state.config import Config
from pages.shell.state.settings import settings


@pytest.fixture(autouse=True)
def visitor(monkeypatch):
    """An empty session for each test."""
    monkeypatch.setattr(st, "session_state", {})


def test_what_nobody_has_set_is_as_at_first_and_is_not_told():
    assert now("dropout") == at_first("dropout") == "0.0"
    set_controls({"heads": 3})
    set_controls({"heads": Config.heads})
    assert told()["texts"] == {}
    assert Config.current() == Config()


def test_code_that_sets_a_control_gives_it_another_widget_and_leaves_those_that_have_the_value():
    before = settings().key("heads"), settings().key("dropout")
    set_controls({"heads": 3, "dropout": 0.0})
    assert settings().key("heads") != before[0]
    assert settings().key("dropout") == before[1]
    assert told()["texts"] == {"heads": "3"}


def test_what_a_replaced_widget_says_changes_nothing():
    old = settings().key("heads")
    assert choose("heads", old, 2)
    set_controls({"heads": 3})
    # The old widget was pressed before the browser knew of the change.
    assert not choose("heads", old, 5)
    assert Config.current().heads == 3
    assert choose("heads", settings().key("heads"), 5)
    assert Config.current().heads == 5


def test_a_choice_keeps_the_widget_that_the_visitor_holds():
    key = settings().key_of("heads", ("Heads", (1, 2, 3)))
    choose("heads", key, 2)
    assert settings().key_of("heads", ("Heads", (1, 2, 3))) == key
    assert settings().key_of("heads", ("Heads", (1, 2))) != key


def test_of_what_figures_give_each_is_taken_once_whichever_messages_come():
    assert give({"head": ("2", 1)}) == {"head"}
    assert give({"head": ("2", 1), "cell": ("weights.1.2", 2)}) == {"cell"}
    set_controls({"head": 3})
    # An old message repeats, and one in between never came.
    assert give({"head": ("2", 1), "cell": ("weights.1.2", 2)}) == frozenset()
    assert give({"head": ("4", 3), "cell": ("", 4)}) == {"head", "cell"}
    assert told()["texts"] == {"head": "4"}
    assert told()["heard"] == 4


def test_figures_set_the_nearest_that_there_is_and_no_other_name():
    give({"dropout": ("7", 1), "nonsense": ("1", 2), "cell": ("c" * 1000, 3)})
    assert Config.current().dropout == 0.9
    assert "nonsense" not in settings().texts
    assert len(now("cell")) == changes._LONGEST


@pytest.mark.parametrize(
    "found", [None, 3, "text", {"head": 3}, {"head": ["2"]}, {"head": ["2", True]}, {"head": [2, 1]}]
)
def test_what_cannot_be_read_is_not_taken(found):
    assert received(found) == {}


def test_the_browser_hears_that_something_was_set_even_where_it_is_what_it_was():
    at = told()["at"]
    give({"head": ("1", 1)})
    assert told()["at"] > at
    assert told()["heard"] == 1


def test_each_visit_has_another_name():
    first = told()["session"]
    st.session_state.clear()
    assert told()["session"] != first
