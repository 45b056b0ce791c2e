"""A cache of runs for all visitors, bounded by the bytes of their records."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """A least-recently-used cache of at most `most` bytes. Its values are shared: nobody may change them."""

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self._kept, self._lock = OrderedDict[Hashable, tuple[object, int]](), threading.Lock()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def known(self, key: Hashable) -> Any:
        """The value kept for this key; None where there is none."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def get(self, key: Hashable, make: Callable[[], T], weigh: Callable[[T], int]) -> T:
        """The value kept for this key, or made now. weigh: its bytes."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]  # type: ignore[return-value]
        made = make()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made, weigh(made)
                self.size += self._kept[key][1]
            # The newest value stays, whatever it weighs, because a page asks for it a dozen times.
            while self.size > self.most and len(self._kept) > 1:
                self.size -= self._kept.popitem(last=False)[1][1]
        return made
