"""Run a few experiments at a time, so that one processor is left for visitors who only move a slider."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from functools import cache

AT_ONCE = max(1, (os.cpu_count() or 1) - 1)
_MOMENT = 0.2


@cache
def _places() -> threading.BoundedSemaphore:
    return threading.BoundedSemaphore(AT_ONCE)


@contextlib.contextmanager
def turn(waiting: Callable[[], object]) -> Iterator[None]:
    """Hold one of the places for experiments. waiting: called again and again until a place is free.

    A `waiting` that draws ends the wait of a visitor who has moved on. At most one run of each visitor waits, since a
    visitor runs one page at a time.
    """
    while not _places().acquire(timeout=_MOMENT):
        waiting()
    try:
        yield
    finally:
        _places().release()
