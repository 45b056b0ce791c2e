"""An answer at all stops of the training: its probability, the stop from which it is learned, and when it was wrong."""

from dataclasses import replace
from functools import lru_cache

from pages.shell.runs import backward
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as computed
from pages.shell.state.config import Config, stops
from pages.shell.views.backward import answer, strength


def shares(run: Run, row: int, question: int) -> tuple[float, ...]:
    """The probability of the right answer to a question of a word at each stop. run: on the way of its training."""
    return tuple(share for share, _ in _all(run, row, question))


def is_learned(run: Run, row: int, question: int) -> bool:
    """Whether an answer is right from here on, and has no arrow left. run: on the way of its training."""
    here = stops(run.config.updates).index(run.config.updates)
    return min(shares(run, row, question)[here:]) >= strength.RIGHT and not has_arrow(run, row, question)


def comes(run: Run, row: int, question: int) -> bool:
    """Whether an answer is right at the last stop. run: on the way of its training."""
    return _all(run, row, question)[-1][1]


def last_wrong(run: Run, row: int, question: int) -> str | None:
    """The last stop before this one with a wrong answer and an arrow; None if there is none."""
    every = stops(run.config.updates)
    here = every.index(run.config.updates)
    wrong = (at for at in reversed(range(here)) if not _all(run, row, question)[at][1])
    return next((every[at] for at in wrong if has_arrow(_at(run.config, every[at]), row, question)), None)


def has_arrow(run: Run, row: int, question: int) -> bool:
    made = backward.found(run, Goal("answer", (ANSWER, row, question)), row)
    return bool(strength.sizes(strength.pushes(run, made, row)).any())


def _at(config: Config, updates: str) -> Run:
    return computed(replace(config, updates=updates))


def _all(run: Run, row: int, question: int) -> tuple[tuple[float, bool], ...]:
    every = stops(run.config.updates)
    return _of_stops(replace(run.config, updates=every[0]), every, row, question)


@lru_cache(maxsize=256)
def _of_stops(config: Config, every: tuple[str, ...], row: int, question: int) -> tuple[tuple[float, bool], ...]:
    """The probability of the right answer at each stop, and whether it is given; independent of the stop that is
    shown."""
    runs = (_at(config, each) for each in every)
    return tuple((answer.sure(run, row, question), answer.given(run, row, question)[2]) for run in runs)
