"""Input typed into the grid: the texts that are numbers, the existing places, and the resulting link."""

from types import SimpleNamespace

import numpy as np
import pytest

from pages.shell.i18n import say
from pages.shell.sections import matrix_editor
from pages.shell.sections.matrix_editor import Grid
from pages.shell.state.config import Config
from pages.shell.state.typed_numbers import MOST, edits
from tests.support.app import edited

MADE = np.array([[0.1, 1.0, -2.0], [0.0, 5.0, 7.0]], dtype=np.float32)
SHOWN = np.array([[0.1, 1.0, 3.0], [0.0, 5.0, 7.0]], dtype=np.float32)
GRID = Grid(0, "random", "w_q", 1, ("0", "1"), MADE, SHOWN)


def after(**columns):
    return GRID.after({1: {column.removeprefix("c"): typed for column, typed in columns.items()}})


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("2", 2),
        (" -1.5 ", -1.5),
        ("−1.5", -1.5),
        (".25", 0.25),
        ("1e2", 100),
        ("１２", 12),
        ("-1000", -1000),
        ("1e-60", 0),
        (7, 7),
    ],
)
def test_a_number_is_read_as_people_write_it(typed, number):
    values, refused = after(c1=typed)
    assert refused == ()
    assert values.tolist() == [SHOWN[0].tolist(), [0.0, number, 7.0]]
    assert not np.signbit(after(c1="-0")[0][1, 1])


@pytest.mark.parametrize(
    "typed", ["", "abc", "nan", "inf", "-inf", "1e309", "1000.1", "1,5", "0x10", None, True, [1], {"a": 1}, "9" * 9999]
)
def test_anything_else_is_refused_and_the_rest_is_kept(typed):
    values, refused = after(c0="4", c1=typed)
    assert refused == ("" if typed is None else str(typed),)
    assert values.tolist() == [SHOWN[0].tolist(), [4.0, 5.0, 7.0]]


@pytest.mark.parametrize(
    "rows", [{2: {"0": "1"}}, {-1: {"0": "1"}}, {0: {"3": "1"}}, {0: {"_index": "1"}}, {0: {"²": "1"}}]
)
def test_a_place_that_is_not_there_is_left_alone(rows):
    values, refused = GRID.after(rows)
    assert (values == SHOWN).all()
    assert refused == ()


def test_the_edits_of_a_block_are_where_it_is_not_as_it_was_made():
    others = edits(edited("random", "story", x=((0, 0, 0, 1.0),), w_q=((0, 0, 0, 1.0), (1, 0, 2, 3.0), (1, 4, 0, 8.0))))
    kept = tuple(one for one in others if (one.preset, *one.typed) != ("random", "w_q", 1, 0, 2, 3.0))
    values, _ = GRID.after({0: {"2": "-2"}, 1: {"1": "0.3"}})
    (new,) = set(GRID.edits(values, others)) - set(kept)
    assert set(kept) < set(GRID.edits(values, others))
    assert (new.preset, *new.typed[:-1]) == ("random", "w_q", 1, 1, 1)
    assert new.typed.value == np.float32(0.3)


def test_typing_again_what_was_typed_changes_nothing():
    values, _ = after(c1="8")
    once = GRID.edits(values, ())
    assert GRID.edits(values, once) == once


@pytest.fixture
def typing(monkeypatch):
    """Type into the grid: returns the link's text, or None if it stays as it was, and the told text."""

    def act(rows, before):
        told, wanted = {}, {}
        monkeypatch.setattr(matrix_editor, "_rows", lambda grid: rows)
        monkeypatch.setattr(matrix_editor, "st", SimpleNamespace(session_state=told))
        monkeypatch.setattr(matrix_editor, "Config", SimpleNamespace(current=lambda: Config(edited=before)))
        monkeypatch.setattr(matrix_editor, "set_controls", wanted.update)
        matrix_editor._type(GRID)
        return wanted.get("edited"), "".join(told.values())

    return act


def test_what_is_typed_goes_into_the_link_and_what_is_refused_is_said(typing):
    text, words = typing({1: {"0": "4", "1": "a`b"}}, edited(w_q=((1, 0, 2, 3.0),)))
    assert text == edited(w_q=((1, 0, 2, 3.0), (1, 1, 0, 4.0)))
    assert words == say("by_hand.refused", words="`a'b`", largest="1000")


def test_one_number_too_many_is_said_and_nothing_is_lost(typing):
    full = [(block, row, column, 1.0) for block in range(2) for row in range(16) for column in range(16)]
    assert len(full) == MOST
    typed = {1: {"0": "4"}}
    assert typing(typed, edited(x=full)) == (None, say("by_hand.many", most=MOST))
    # The grid already has one of the numbers.
    assert typing(typed, edited(x=full[2:]))[1] == ""
    assert len(edits(typing(typed, edited(x=full[2:]))[0])) == MOST
