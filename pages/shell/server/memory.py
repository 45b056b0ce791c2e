"""Memory that is free in the process is given back to the system: by itself, the C library keeps most of it.

docs/decisions/load.md has what it saves. Both functions are glibc's (malloc_trim(3), mallopt(3)); where the C library
has none of that name, they do nothing.
"""

import ctypes
import time
from collections.abc import Callable

# As <malloc.h> has it.
_ARENA_MAX = -8
# Each thread that finds no free arena begins another one, and what is free in one is of no use to the others.
ARENAS = 2
# Seconds between two looks through all that is free, each of which takes a few milliseconds.
EVERY = 1.0


def bound_arenas() -> None:
    """Have all threads share a few arenas. Before threads begin: arenas that are there stay."""
    _function("mallopt")(_ARENA_MAX, ARENAS)


class Returning:
    """Gives memory back when somebody asks, at most once in so many seconds. now: seconds by any clock."""

    def __init__(self, every: float = EVERY, now: Callable[[], float] = time.monotonic) -> None:
        self._every, self._now, self._next = every, now, now()

    def give_back(self) -> bool:
        """Whether it was time. In a thread of its own: other threads run meanwhile."""
        if (now := self._now()) < self._next:
            return False
        self._next = now + self._every
        _function("malloc_trim")(0)
        return True


def _function(name: str) -> Callable[..., int]:
    """A function of the C library of this process; one that does nothing where it is not there."""
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return lambda *_: 0
    return found
