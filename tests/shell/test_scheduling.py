"""A few experiments run at a time: later visitors wait, are told so, and may give up."""

import threading
from contextlib import ExitStack

import pytest

from pages.shell.runs.scheduling import AT_ONCE, turn


def nobody_waits() -> None:
    raise AssertionError("there was a place")


class MovedOnError(Exception):
    """The error that Streamlit raises if a run draws after its visitor has moved on."""


def moved_on() -> None:
    raise MovedOnError


@pytest.fixture
def full():
    """A state in which all places are taken."""
    with ExitStack() as stack:
        for _ in range(AT_ONCE):
            stack.enter_context(turn(nobody_waits))
        yield stack
    with ExitStack() as stack:
        for _ in range(AT_ONCE):
            stack.enter_context(turn(nobody_waits))


def test_a_processor_is_left_for_the_others():
    assert AT_ONCE >= 1


def test_who_finds_no_place_is_told_and_has_the_next_one(full):
    told, computed = threading.Event(), threading.Event()

    def late() -> None:
        with turn(told.set):
            computed.set()

    thread = threading.Thread(target=late)
    thread.start()
    assert told.wait(10)
    assert not computed.is_set()
    full.close()
    thread.join(10)
    assert computed.is_set()


@pytest.mark.usefixtures("full")
def test_who_moves_on_does_not_keep_a_place():
    with pytest.raises(MovedOnError), turn(moved_on):
        pytest.fail("there was a place")


def test_an_experiment_that_fails_gives_its_place_back():
    for _ in range(AT_ONCE + 1):
        with pytest.raises(MovedOnError), turn(nobody_waits):
            raise MovedOnError
