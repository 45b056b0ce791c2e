"""A cursor that is copied is the one that `copy.deepcopy` makes by itself, and its own."""

from copy import deepcopy

import pytest
from streamlit.cursor import Cursor, LockedCursor, RunningCursor
from streamlit.proto.Element_pb2 import Element

from pages.shell.server.patches import copied_cursors


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(Cursor, "__deepcopy__", None, raising=False)
    copied_cursors.install()


def _running() -> RunningCursor:
    cursor = RunningCursor(1, (2, 3))
    for _ in range(5):
        cursor.lock_element()
    return cursor


def _shown_for_a_while() -> RunningCursor:
    cursor = _running()
    cursor.get_transient_cursor()
    cursor.transient_elements[0] = Element(text={"body": "a spinner"})
    return cursor


@pytest.mark.parametrize("made", [_running, _shown_for_a_while, lambda: LockedCursor(1, (2, 3), 5)])
def test_a_copy_is_that_of_python(made, installed, monkeypatch):
    cursor = made()
    copied = deepcopy(cursor)
    monkeypatch.delattr(Cursor, "__deepcopy__")
    pythons = deepcopy(cursor)
    assert type(copied) is type(pythons) is type(cursor)
    parts = [vars(one) | {"_transient_elements": list(one.transient_elements.items())} for one in (copied, pythons)]
    assert parts[0] == parts[1]


def test_a_copy_goes_its_own_way(installed):
    cursor = _shown_for_a_while()
    copied = deepcopy(cursor)
    copied.transient_elements[1] = Element()
    assert len(cursor.transient_elements) == 1
    copied.lock_element()
    assert (copied.index, cursor.index) == (6, 5)
