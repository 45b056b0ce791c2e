"""Give free memory of the process back to the system, since the C library keeps most of it.

docs/decisions/load.md says how much this saves. The functions are glibc's malloc_trim(3) and mallopt(3); a C library
without them changes nothing.
"""

import ctypes
import time
from collections.abc import Callable

# M_ARENA_MAX of <malloc.h>.
_ARENA_MAX = -8
# A thread that finds no free arena begins another one, and threads cannot use free memory of each other's arenas.
ARENAS = 2
# Least seconds between two calls of malloc_trim, each of which takes a few milliseconds.
EVERY = 1.0


def bound_arenas() -> None:
    """Have all threads share a few arenas. Call this before threads begin, since existing arenas stay."""
    _function("mallopt")(_ARENA_MAX, ARENAS)


class Returning:
    """Gives memory back on request, at most once in `every` seconds. now: a clock in seconds."""

    def __init__(self, every: float = EVERY, now: Callable[[], float] = time.monotonic) -> None:
        self._every, self._now, self._next = every, now, now()

    def give_back(self) -> bool:
        """Give memory back if it is time; returns whether it was. Call this in a thread: it lets other threads run."""
        if (now := self._now()) < self._next:
            return False
        self._next = now + self._every
        _function("malloc_trim")(0)
        return True


def _function(name: str) -> Callable[..., int]:
    """A function of the C library of this process, or one that does nothing where the library lacks it."""
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return lambda *_: 0
    return found
