"""A parameter that code has set reaches the browser, whatever a request that was under way brings back."""

from types import SimpleNamespace

import pytest

from pages.shell.state import parameters
from pages.shell.state.pending import UNDER_WAY


class Session:
    """A server's half of a session: what the browser sends is what stands in its URL."""

    def __init__(self, monkeypatch):
        self.time, self.went_back = 0.0, False
        self.st = SimpleNamespace(session_state={}, query_params={})
        monkeypatch.setattr(parameters, "st", self.st)
        monkeypatch.setattr(parameters, "time", SimpleNamespace(monotonic=lambda: self.time))
        context = lambda **_: SimpleNamespace(is_history_navigation=self.went_back)  # noqa: E731
        monkeypatch.setattr(parameters, "get_script_run_ctx", context)

    def cell(self, sent, *, back=False):
        """What stands in the URL after a request that came with this."""
        self.st.query_params.clear()
        self.st.query_params.update({"cell": sent} if sent else {})
        self.went_back = back
        parameters.restore_parameters()
        return self.st.query_params.get("cell", "")


@pytest.fixture
def session(monkeypatch):
    session = Session(monkeypatch)
    assert session.cell("x.0.0") == "x.0.0"
    parameters.set_parameter("cell", "scores.2.3")
    return session


def test_it_stands_in_the_url_at_once(session):
    assert session.st.query_params == {"cell": "scores.2.3"}


@pytest.mark.parametrize("is_drawn", [False, True])
def test_a_request_that_left_before_does_not_take_it_away(session, is_drawn):
    if is_drawn:
        parameters.mark_parameters_sent()
    session.time = UNDER_WAY / 2
    assert session.cell("x.0.0") == "scores.2.3"
    # Nor does a second one.
    assert session.cell("x.0.0") == "scores.2.3"


def test_what_was_taken_away_stays_away(session):
    parameters.set_parameter("cell", "")
    assert session.cell("scores.2.3") == ""
    assert session.cell("x.0.0") == ""


def test_of_two_the_later_stays(session):
    parameters.set_parameter("cell", "weights.5.1")
    assert session.cell("x.0.0") == "weights.5.1"
    assert session.cell("scores.2.3") == "weights.5.1"


def test_a_while_after_it_was_drawn_the_old_one_is_a_choice(session):
    session.time = 10 * UNDER_WAY
    assert session.cell("x.0.0") == "scores.2.3"
    parameters.mark_parameters_sent()
    session.time += 1.5 * UNDER_WAY
    assert session.cell("x.0.0") == "x.0.0"


def test_who_goes_back_in_the_browser_is_there(session):
    parameters.mark_parameters_sent()
    assert session.cell("x.0.0", back=True) == "x.0.0"
    assert session.cell("x.0.0") == "x.0.0"


def test_another_link_is_a_choice(session):
    assert session.cell("q.1.1") == "q.1.1"
    assert session.cell("x.0.0") == "x.0.0"
