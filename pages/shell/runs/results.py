"""Results of experiments, shared by all visitors, and computed with a progress bar if that takes long."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

import streamlit as st

from pages.shell.i18n import say
from pages.shell.runs.scheduling import turn

# A table may take a megabyte, a race a tenth of that, one that is under way five, a layer that learned half of one.
MOST = {"tables": 64, "races": 256, "running": 16, "learned": 32}
PATIENCE = 0.3

Progress = Callable[[float], object]
T = TypeVar("T")


class Results:
    """A least-recently-used store of results. They are shared: nobody may change them."""

    def __init__(self, most: int) -> None:
        self.most, self._kept, self._lock = most, OrderedDict[Hashable, Any](), threading.Lock()

    def get(self, key: Hashable) -> Any:
        """The result of a key, or None."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Hashable, result: Any) -> None:
        with self._lock:
            self._kept[key] = result
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)


@cache
def results(of: str) -> Results:
    """The store of one kind of experiment."""
    return Results(MOST[of])


@dataclass(frozen=True)
class Experiment(Generic[T]):
    """What takes longer than an answer to the browser may. key: all that its result depends on; make: as in
    `computed`."""

    key: Hashable
    make: Callable[[Progress], T] = field(compare=False)

    def found(self) -> T | None:
        """Its result, where somebody has had it computed lately."""
        found: T | None = results("tables").get(self.key)
        return found


def computed(key: Hashable, make: Callable[[Progress], T]) -> T:
    """What was computed under this key before, or `make(progress)`; a visitor who moves on stops it there."""
    store, place = results("tables"), st.empty()
    found: T | None = store.get(key)
    if found is not None:
        return found
    start = time.monotonic()

    def progress(done: float) -> None:
        if time.monotonic() - start > PATIENCE:
            place.progress(min(done, 1.0), say("lab.progress", percent=f"{done:.0%}"))

    with turn(lambda: place.progress(0.0, say("lab.waiting"))):
        # Of those who ask for the same at once, all but the first find it done.
        found = store.get(key)
        if found is None:
            found = make(progress)
            store.keep(key, found)
    place.empty()
    return found


def computed_unseen(experiment: Experiment[T]) -> T:
    """As `computed`, for somebody who has no page on which progress could be seen."""
    store = results("tables")
    with turn(lambda: None):
        found: T | None = store.get(experiment.key)
        if found is None:
            found = experiment.make(lambda _: None)
            store.keep(experiment.key, found)
    return found
