"""Training on the page: turns are short however many heads there are, and other visitors' pages run meanwhile."""

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
    """A clock that each step of a head advances by a tenth of a second."""

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


def test_a_turn_gives_its_place_back():
    race = Training.of(RACES[:1], train)
    for _ in range(AT_ONCE + 1):
        race.advance(never)
    assert race.done or race.states[RACES[0]]


def test_who_finds_a_training_in_the_turn_of_another_visitor_waits_a_moment_and_draws_what_there_is(monkeypatch):
    monkeypatch.setattr(training, "LOOK", 0.01)
    race = Training.of(RACES[:1], train)
    with race.turn:
        race.advance(never)
    assert race.states[RACES[0]] == []
    race.advance(never)
    assert race.states[RACES[0]]
