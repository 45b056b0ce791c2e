"""The screen before the last change: kept when it is asked for again, forgotten with the page and the preset."""

from dataclasses import replace

import pytest

from pages.shell.state import last_change
from pages.shell.state.config import Config

FIRST = Config(preset="random", heads=3)
SECOND = replace(FIRST, dropout=0.3)


@pytest.fixture(autouse=True)
def session(monkeypatch):
    kept = {}
    monkeypatch.setattr(last_change.st, "session_state", kept)
    last_change.arrive("walkthrough")
    return kept


def test_at_first_there_is_no_screen_before():
    assert last_change.follow(FIRST) == last_change.Change(FIRST)


def test_a_change_is_kept_however_often_it_is_asked_for():
    last_change.follow(FIRST)
    assert [last_change.follow(SECOND) for _ in range(3)] == [last_change.Change(SECOND, FIRST, 1)] * 3
    third = replace(SECOND, mask="full")
    assert last_change.follow(third) == last_change.Change(third, SECOND, 2)


def test_to_look_elsewhere_is_no_change_and_both_are_looked_at_there():
    last_change.follow(FIRST)
    last_change.follow(SECOND)
    now, before = replace(SECOND, head=2, sentence=3), replace(FIRST, head=2, sentence=3)
    assert last_change.follow(now) == last_change.Change(now, before, 1)
    assert last_change.follow(replace(now, seed=5)) == last_change.Change(replace(now, seed=5), now, 2)


def test_another_preset_has_no_screen_before():
    last_change.follow(FIRST)
    last_change.follow(SECOND)
    story = replace(SECOND, preset="story")
    assert last_change.follow(story) == last_change.Change(story, None, 2)


@pytest.mark.parametrize(("page", "before"), [("walkthrough", FIRST), ("masks", None)])
def test_another_page_has_no_screen_before(page, before):
    last_change.follow(FIRST)
    last_change.follow(SECOND)
    last_change.arrive(page)
    assert last_change.follow(SECOND).before == before
