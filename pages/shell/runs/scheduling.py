"""Scheduling of threads: pages are made one at a time, experiments a few at a time beside them.

One interpreter makes one page at a time whatever is done; threads that take it from each other in the middle need
nearly twice the time for all of them (docs/decisions/load.md).
"""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from pages.shell.state import pending

# One processor is left for those who only move a slider.
AT_ONCE = max(1, (os.cpu_count() or 1) - 1)
_MOMENT = 0.2


@dataclass(frozen=True)
class _Turns:
    """making.is_mine: whether this thread is the one that makes a page."""

    page: threading.Lock = field(default_factory=threading.Lock)
    making: threading.local = field(default_factory=threading.local)
    experiments: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(AT_ONCE))


@cache
def _turns() -> _Turns:
    return _Turns()


@contextlib.contextmanager
def making() -> Iterator[None]:
    """Make a page, or rows of it, while no other one is made; within one, this changes nothing."""
    turns = _turns()
    if getattr(turns.making, "is_mine", False):
        yield
        return
    with turns.page:
        turns.making.is_mine = True
        try:
            yield
        finally:
            turns.making.is_mine = False


@contextlib.contextmanager
def turn_of_run() -> Iterator[None]:
    """What a run holds from its beginning to its end; it may wait for it, and so notes when it was asked for."""
    with pending.asked_now(), making():
        yield


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Let others make their pages while this one waits for something, or computes what needs no interpreter."""
    turns = _turns()
    if not getattr(turns.making, "is_mine", False):
        yield
        return
    turns.making.is_mine = False
    turns.page.release()
    try:
        yield
    finally:
        turns.page.acquire()
        turns.making.is_mine = True


@contextlib.contextmanager
def turn(waiting: Callable[[], object]) -> Iterator[None]:
    """Hold one of the places for experiments. waiting: called as long as there is none.

    If it draws, a visitor who has moved on gives up there. A visitor runs one page at a time, so that there are never
    more who wait than visitors.
    """
    turns = _turns()
    with aside():
        while not turns.experiments.acquire(timeout=_MOMENT):
            waiting()
        try:
            yield
        finally:
            turns.experiments.release()
