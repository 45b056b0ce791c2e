"""What a button sets reaches the browser, whatever a request that was under way brings back."""

from types import SimpleNamespace

import pytest

from pages.shell.state import pending


class Session:
    """A server's half of a session: what the browser sends is what its widgets hold."""

    def __init__(self, monkeypatch, **held):
        self.held, self.time = dict(held), 0.0
        monkeypatch.setattr(pending, "st", SimpleNamespace(session_state=self.held))
        monkeypatch.setattr(pending, "time", SimpleNamespace(monotonic=lambda: self.time))

    def sends(self, **values):
        self.held.update(values)
        return pending.restore()


@pytest.fixture
def session(monkeypatch):
    return Session(monkeypatch, stop=7, d="64", text="a cat")


def test_what_is_wanted_is_held_at_once(session):
    pending.set_controls({"stop": 11})
    assert session.held["stop"] == 11


def test_an_interrupted_run_loses_nothing(session):
    pending.set_controls({"stop": 11}, "heads")
    assert session.sends(stop=7) == "heads"
    assert session.held["stop"] == 11


def test_nor_does_one_that_was_interrupted_half_told(session):
    pending.set_controls({"stop": 11, "d": "256"}, "heads")
    assert session.sends(stop=11, d="64") == "heads"
    assert session.held["d"] == "256"


def test_a_request_that_left_before_the_browser_heard_changes_nothing(session):
    pending.set_controls({"stop": 11}, "heads")
    pending.mark_sent()
    session.time = 0.5
    assert session.sends(stop=7) == "heads"
    assert session.held["stop"] == 11


def test_once_the_browser_holds_it_the_old_value_is_a_choice(session):
    pending.set_controls({"stop": 11}, "heads")
    pending.mark_sent()
    assert session.sends(stop=11) is None
    assert session.sends(stop=7) is None
    assert session.held["stop"] == 7


def test_and_so_it_is_after_a_while(session):
    pending.set_controls({"stop": 11}, "heads")
    pending.mark_sent()
    session.time = 3.0
    assert session.sends(stop=7) is None
    assert session.held["stop"] == 7


def test_neither_what_is_set_nor_what_was_before_is_chosen(session):
    """A preset that nobody chose would otherwise bring its own mask, and the link would lose its mask."""
    assert pending.is_chosen("stop")
    pending.set_controls({"stop": 11})
    pending.mark_sent()
    chosen = {}
    for value in (11, 7, 13):
        session.held["stop"] = value
        chosen[value] = pending.is_chosen("stop")
    assert chosen == {11: False, 7: False, 13: True}
    assert pending.is_chosen("d")
    session.held["stop"], session.time = 7, 3.0
    assert pending.is_chosen("stop")


def test_what_a_visitor_chooses_meanwhile_is_his(session):
    pending.set_controls({"stop": 11, "d": "256"})
    assert session.sends(stop=7, d="512") is None
    assert (session.held["stop"], session.held["d"]) == (11, "512")


def test_a_second_wish_adds_to_one_that_was_not_told(session):
    pending.set_controls({"stop": 11, "d": "256"}, "heads")
    pending.set_controls({"stop": 13})
    assert session.sends(stop=7, d="64") == "heads"
    assert (session.held["stop"], session.held["d"]) == (13, "256")
    session.sends(stop=11)
    assert session.held["stop"] == 13


def test_a_control_of_a_page_that_was_left_is_not_waited_for(session):
    pending.set_controls({"stop": 11, "d": "256"})
    pending.mark_sent()
    del session.held["d"]
    assert session.sends(stop=11) is None
    assert "d" not in session.held


@pytest.mark.parametrize("late", [7, 11, 13])
def test_of_presses_in_a_row_none_is_lost_to_a_request_that_left_before(session, late):
    pending.set_controls({"stop": 11})
    pending.mark_sent()
    session.sends(stop=7)
    pending.set_controls({"stop": 13})
    pending.mark_sent()
    session.sends(stop=late)
    assert session.held["stop"] == 13


def test_a_run_that_waited_for_its_turn_is_judged_by_when_it_was_asked_for(session):
    pending.set_controls({"stop": 11})
    pending.mark_sent()
    session.time = 1.0
    with pending.asked_now():
        session.time = 2 * pending.UNDER_WAY
        session.sends(stop=7)
        assert session.held["stop"] == 11
        assert not pending.is_chosen("stop")
    session.held["stop"] = 7
    assert pending.is_chosen("stop")
    session.sends(stop=7)
    assert session.held["stop"] == 7
