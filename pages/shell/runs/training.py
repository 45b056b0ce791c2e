"""Layers in training, advanced a moment at a time by each visitor who watches them."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pages.shell.runs.scheduling import turn

# Seconds of training in one run of the page.
TURN = 0.25
# Seconds that a visitor waits while another visitor advances the same training, before its present state is drawn.
LOOK = 1.0


class _Trained(Protocol):
    """A training that yields a state before each of its steps, and one at the end."""

    @property
    def steps(self) -> int: ...

    def __hash__(self) -> int: ...


R = TypeVar("R", bound=_Trained)
S = TypeVar("S")


@dataclass
class Training(Generic[R, S]):
    """Races that advance in step with each other, up to one step. All who watch the same races share one training."""

    races: tuple[R, ...]
    runs: dict[R, Iterator[S]]
    states: dict[R, list[S]]
    turn: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, races: tuple[R, ...], train: Callable[[R], Iterator[S]]) -> "Training[R, S]":
        return cls(races, {race: train(race) for race in races}, {race: [] for race in races})

    @property
    def done(self) -> bool:
        return all(len(self.states[race]) > race.steps for race in self.races)

    def advance(self, waiting: Callable[[], object]) -> None:
        """Train for a turn, at least one step of one head. waiting: called while others compute.

        Another visitor, or an interrupted run, may hold a turn of the same training. Then this returns after `LOOK`
        seconds, so that the caller draws the present state.
        """
        if not self.turn.acquire(timeout=LOOK):
            return
        try:
            with turn(waiting):
                self._train()
        finally:
            self.turn.release()

    def _train(self) -> None:
        end = time.monotonic() + TURN
        while not self.done:
            # The clock is read after each step of one race: a step of twenty large heads takes longer than a turn.
            behind = min(self.races, key=lambda race: len(self.states[race]))
            self.states[behind].append(next(self.runs[behind]))
            if time.monotonic() > end:
                return
