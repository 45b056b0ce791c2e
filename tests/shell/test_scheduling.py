"""A few experiments at a time: who comes later waits, is told so, and may give up."""

import threading
from contextlib import ExitStack, nullcontext

import pytest

from pages.shell.runs.scheduling import AT_ONCE, aside, making, turn


def nobody_waits() -> None:
    raise AssertionError("there was a place")


class MovedOnError(Exception):
    """What Streamlit raises where a run draws that nobody wants any more."""


def moved_on() -> None:
    raise MovedOnError


@pytest.fixture
def full():
    """All places taken."""
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


def made_meanwhile(doing) -> bool:
    """Whether another visitor's page can be made while this one is at something."""
    made = threading.Event()

    def other() -> None:
        with making():
            made.set()

    with making():
        thread = threading.Thread(target=other)
        with doing():
            thread.start()
            seen = made.wait(0.5)
    thread.join(10)
    assert made.is_set()
    return seen


def test_pages_are_made_one_after_the_other():
    assert not made_meanwhile(nullcontext)


def test_an_experiment_lets_others_make_their_pages():
    assert made_meanwhile(lambda: turn(nobody_waits))


@pytest.mark.usefixtures("full")
def test_who_waits_for_an_experiment_lets_others_make_their_pages_and_who_moves_on_too():
    made = threading.Event()

    def other() -> None:
        with making():
            made.set()

    def moves_on() -> None:
        threading.Thread(target=other).start()
        assert made.wait(10)
        raise MovedOnError

    with pytest.raises(MovedOnError), making(), turn(moves_on):
        pytest.fail("there was a place")
    assert made_meanwhile(nullcontext) is False


def test_a_page_that_fails_gives_way():
    with pytest.raises(MovedOnError), making():
        raise MovedOnError
    with making():
        pass


def test_who_is_aside_already_stays_there():
    def doing():
        stack = ExitStack()
        stack.enter_context(aside())
        stack.enter_context(turn(nobody_waits))
        return stack

    assert made_meanwhile(doing)
    assert not made_meanwhile(nullcontext)
