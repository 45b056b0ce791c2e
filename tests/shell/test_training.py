"""Training on the page: a turn is short however many heads there are, and others make their pages meanwhile."""

import threading

import pytest

from attention.experiments.race import Race, State, train
from attention.scales import BY_D_K
from pages.shell.runs import training
from pages.shell.runs.scheduling import AT_ONCE
from pages.shell.runs.training import TURN, Training

RACES = tuple(Race(scale, 3, seed, steps=7) for seed in range(5) for scale in BY_D_K)


def never() -> None:
    pytest.fail("there was a place")


class Clock:
    """A clock that a step of any head moves on by a tenth of a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def train(self, race):
        for step in range(race.steps + 1):
            self.now += 0.1
            yield State(step, 1.0, None)


def test_a_turn_ends_after_the_step_of_a_head_and_not_after_one_of_each(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(training, "time", clock)
    race = Training.of(RACES, clock.train)
    while not race.done:
        before = clock.now
        race.advance(never)
        assert clock.now - before <= TURN + 0.1 + 1e-9
        lengths = [len(states) for states in race.states.values()]
        assert max(lengths) - min(lengths) <= 1
    assert set(lengths) == {8}


def test_what_is_trained_in_turns_is_what_is_trained_at_once(monkeypatch):
    monkeypatch.setattr(training, "TURN", 0.0)
    race = Training.of(RACES[:2], train)
    turns = 0
    while not race.done:
        race.advance(never)
        turns += 1
    assert turns == 16
    assert race.states == {one: list(train(one)) for one in RACES[:2]}


def test_another_visitors_page_is_made_while_a_head_makes_its_step(monkeypatch):
    """The step is not over before that page is made: were one to wait for the other, neither would come to an end."""
    made = threading.Event()

    def train(race):
        assert made.wait(30), "the other page waited for the step"
        yield from (State(step, 1.0, None) for step in range(race.steps + 1))

    race = Training.of(RACES[:1], train)

    def other() -> None:
        with making():
            made.set()

    thread = threading.Thread(target=other)
    with making():
        thread.start()
        race.advance(never)
    thread.join(30)
    assert made.is_set()
    assert race.states[RACES[0]]


def test_a_turn_gives_its_place_back():
    race = Training.of(RACES[:1], train)
    for _ in range(AT_ONCE + 1):
        race.advance(never)
    assert race.done or race.states[RACES[0]]


class Asked:
    """A lock that tells how often it was asked for."""

    def __init__(self) -> None:
        self.lock, self.times = threading.Lock(), threading.Semaphore(0)
        self.release = self.lock.release

    def acquire(self, timeout: float) -> bool:
        self.times.release()
        return self.lock.acquire(timeout=timeout)


def test_who_waits_for_the_training_of_another_visitor_holds_up_nobody(monkeypatch):
    """The step is over when a third visitor's page has been made, while a second one waits for the same training."""
    made, late = threading.Event(), []

    def train(race):
        if not made.wait(10):
            late.append(race)
        yield from (State(step, 1.0, None) for step in range(race.steps + 1))

    monkeypatch.setattr(training, "LOOK", 60.0)
    race = Training.of(RACES[:1], train)
    race.turn = Asked()

    def look() -> None:
        with making():
            race.advance(never_mind)

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert race.turn.times.acquire(timeout=10)
    with making():
        made.set()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    assert not late


def never_mind() -> None:
    """Who waits for a place is told so elsewhere."""
