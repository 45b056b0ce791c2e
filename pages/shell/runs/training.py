"""Layers in training, advanced for a moment at a time, by one visitor or by several who watch the same ones."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pages.shell.runs.scheduling import turn

# Seconds of training in one run of the page.
TURN = 0.25
# Seconds for which those who look at the same training as others wait before they draw how far it is.
LOOK = 1.0


class _Trained(Protocol):
    """What is trained yields a state before each of its steps and one at the end."""

    @property
    def steps(self) -> int: ...

    def __hash__(self) -> int: ...


R = TypeVar("R", bound=_Trained)
S = TypeVar("S")


@dataclass
class Training(Generic[R, S]):
    """Races in step with each other, up to one step; all who look at them share one training."""

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

        Another visitor, or a run that was interrupted, may be in a turn of the same training: after a while there is
        nothing to do but to draw how far it is.
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
            # The clock is read after a step of each: a step of twenty large heads takes longer than a turn.
            behind = min(self.races, key=lambda race: len(self.states[race]))
            self.states[behind].append(next(self.runs[behind]))
            if time.monotonic() > end:
                return
