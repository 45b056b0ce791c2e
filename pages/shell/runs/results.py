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

# The most results of each kind that are kept. A table may take a megabyte, a race 0.1, a race under way 5, a learned
# layer 0.5.
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
    """A computation that takes longer than an answer to the browser may. key: all that its result depends on; make: as
    in `computed`."""

    key: Hashable
    make: Callable[[Progress], T] = field(compare=False)

    def found(self) -> T | None:
        """The result, if a visitor had it computed lately."""
        found: T | None = results("tables").get(self.key)
        return found


def computed(key: Hashable, make: Callable[[Progress], T]) -> T:
    """The stored result of a key, or else `make(progress)`, which stops where its visitor moves on."""
    store, place = results("tables"), st.empty()
    found: T | None = store.get(key)
    if found is not None:
        return found
    start = time.monotonic()

    def progress(done: float) -> None:
        if time.monotonic() - start > PATIENCE:
            place.progress(min(done, 1.0), say("lab.progress", percent=f"{done:.0%}"))

    with turn(lambda: place.progress(0.0, say("lab.waiting"))):
        # All but the first of several waiting visitors find the result here.
        found = store.get(key)
        if found is None:
            found = make(progress)
            store.keep(key, found)
    place.empty()
    return found


def computed_unseen(experiment: Experiment[T]) -> T:
    """As `computed`, for a caller without a page that could show progress."""
    store = results("tables")
    with turn(lambda: None):
        found: T | None = store.get(experiment.key)
        if found is None:
            found = experiment.make(lambda _: None)
            store.keep(experiment.key, found)
    return found
