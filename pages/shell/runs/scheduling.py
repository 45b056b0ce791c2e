"""Experiments run a few at a time: one processor is left for those who only move a slider."""

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
    """Hold one of the places for experiments. waiting: called as long as there is none.

    If it draws, a visitor who has moved on gives up there. A visitor runs one page at a time, so that there are never
    more who wait than visitors.
    """
    while not _places().acquire(timeout=_MOMENT):
        waiting()
    try:
        yield
    finally:
        _places().release()
