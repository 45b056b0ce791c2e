"""A queue of work that many ask for: a few pieces at a time, in order, and once for equal questions."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from starlette.concurrency import run_in_threadpool

T = TypeVar("T")


@dataclass
class _Work(Generic[T]):
    """One piece of work: its future result, the number of callers that wait for it, and whether it has begun."""

    result: "asyncio.Task[T]" = field(init=False)
    askers: int = 0
    begun: bool = False


class SharedWork(Generic[T]):
    """A queue of work in threads, so that the event loop stays free.

    at_once: how many pieces are done at the same time. waiting: how many different pieces may wait to be begun.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._places, self._most = asyncio.Semaphore(at_once), at_once + waiting
        self._asked: dict[Hashable, _Work[T]] = {}

    def __len__(self) -> int:
        """The number of different pieces that wait or are under way."""
        return len(self._asked)

    async def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make`, called in a thread, or the result that is being made under the same key.

        Work leaves the queue when the tasks of all who asked for it are cancelled; work that has begun is finished.
        QueueFull: the queue has no place.
        """
        work = self._asked.get(key)
        if work is None:
            if len(self) >= self._most:
                raise asyncio.QueueFull
            self._asked[key] = work = _Work()
            work.result = asyncio.create_task(self._made(work, make))
            work.result.add_done_callback(lambda _: self._forget(key, work))
        work.askers += 1
        try:
            # The result is shielded, so that a caller who leaves does not cancel the work of the others.
            return await asyncio.shield(work.result)
        finally:
            work.askers -= 1
            if not work.askers and not work.begun:
                work.result.cancel()
                # The work is forgotten at once, so that the next caller does not wait for cancelled work.
                self._forget(key, work)

    async def _made(self, work: _Work[T], make: Callable[[], T]) -> T:
        async with self._places:
            work.begun = True
            return await run_in_threadpool(make)

    def _forget(self, key: Hashable, work: _Work[T]) -> None:
        if self._asked.get(key) is work:
            del self._asked[key]


class Kept(Generic[T]):
    """A least-recently-used cache of at most `most` bytes. It has no lock: use it in one event loop."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def keep(self, key: Hashable, value: T, size: int) -> None:
        """Keep a value, and drop those unused for the longest. A value that alone is too large is not kept."""
        if key in self._kept or size > self._most:
            return
        self._kept[key] = value, size
        self._size += size
        while self._size > self._most:
            self._size -= self._kept.popitem(last=False)[1][1]
