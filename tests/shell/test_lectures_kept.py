"""A lecture that a browser has kept is outside input, and is read like a file."""

from types import SimpleNamespace

import pytest

from pages.shell.lectures import kept
from pages.shell.lectures.writing import file
from pages.shell.state.reader import Reader
from tests.shell.test_lecture_files import GOOD

STOP = {"page": "masks", "screen": {"width": 5}, "cell": "weights.3.1"}


@pytest.fixture
def session(monkeypatch):
    held = {}
    monkeypatch.setattr(kept, "st", SimpleNamespace(session_state=held))
    monkeypatch.setattr(kept, "set_controls", held.update)
    return held


def found(monkeypatch, session, answer, lecture="none"):
    monkeypatch.setattr(Reader, "current", classmethod(lambda cls: cls(lecture=lecture)))
    session["lecture-kept"] = {"found": answer}
    kept._found()
    return session


def test_the_file_is_opened_again(monkeypatch, session):
    found(monkeypatch, session, {"lecture": GOOD, "saved": ""}, "own")
    assert session[kept.OWN_FILE].stops[0].page == "masks"
    assert "lecture" not in session


def test_the_stops_that_were_saved_are_there_again(monkeypatch, session):
    found(monkeypatch, session, {"lecture": "", "saved": file("T", [STOP])})
    assert session[kept.SAVED] == [STOP]
    assert kept.OWN_FILE not in session


def test_what_the_server_has_is_newer(monkeypatch, session):
    session[kept.SAVED] = [STOP]
    kept.opened(GOOD)
    found(monkeypatch, session, {"lecture": GOOD.replace("masks", "order"), "saved": ""}, "own")
    assert session[kept.SAVED] == [STOP]
    assert session[kept.OWN_FILE].stops[0].page == "masks"


def test_a_lecture_of_a_link_is_shown_and_takes_the_place_of_none(monkeypatch, session):
    found(monkeypatch, session, {"lecture": GOOD, "saved": "", "arrived": "yes"}, "own")
    assert session[kept.OWN_FILE].stops[0].page == "masks"
    assert (session["lecture_text"], session["lecture_arrived"]) == (None, GOOD)


@pytest.mark.parametrize("told", [None, 7, {}, {"figure": 3, "at": ""}, {"figure": "x" * 201}])
def test_a_place_that_is_none_is_not_kept(session, told):
    session["lecture-kept"] = {"place": told}
    assert kept.place() == {}
    session["lecture-kept"] = {"place": {"figure": "weights", "at": "one_mask"}}
    assert kept.place() == {"figure": "weights", "at": "one_mask"}


@pytest.mark.parametrize(
    "answer", [None, 7, [], {}, {"lecture": ""}, {"lecture": 7, "saved": [1]}, {"lecture": "x = ["}]
)
def test_a_link_to_what_is_not_there_ends(monkeypatch, session, answer):
    found(monkeypatch, session, answer, "own")
    assert (session["lecture"], session["stop"]) == ("none", 1)
    assert session[kept.SAVED] == []


def test_a_lecture_that_is_too_large_is_none(monkeypatch, session):
    found(monkeypatch, session, {"lecture": GOOD + "#" * kept.MOST_BYTES, "saved": "#" * kept.MOST_BYTES}, "own")
    assert kept.OWN_FILE not in session
