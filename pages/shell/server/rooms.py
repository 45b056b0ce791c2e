"""All rooms of a process. They end with it; docs/decisions/votes.md says what several processes do.

A room in use never gives way to a new one: a flood of new rooms can only remove rooms whose lecturer has been silent.
"""

import hashlib
import hmac
from typing import Any

from pages.shell.lectures.format import Lecture
from pages.shell.server.room import RefusedError, Room

# 64 rooms of 0.9 MB each at most.
MOST_ROOMS, MOST_OF_ONE_ADDRESS = 64, 8
# Seconds without a sign of its lecturer after which a room may give way, and after which it is removed in any case. The
# window of a lecturer asks every few seconds.
SILENT, GONE = 600, 12 * 3600


class Rooms:
    """Rooms by name. The `now` of each method is the caller's time, in seconds since the epoch."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def find(self, name: str, now: float) -> Room:
        """The room of a name. RefusedError: nobody has opened it."""
        room = self._rooms.get(name)
        if room is None or now - room.seen > GONE:
            self._rooms.pop(name, None)
            raise RefusedError("closed")
        return room

    def of_lecturer(self, name: str, key: str, now: float) -> Room:
        """The room, for its lecturer. RefusedError: the room is not open, or was opened with another key."""
        room = self.find(name, now)
        if not hmac.compare_digest(room.key, _digest(key)):
            raise RefusedError("taken")
        room.seen = now
        return room

    def open(self, name: str, key: str, address: str, named: str, lecture: Lecture, now: float, **more: Any) -> Room:
        """Open a room for a lecture, or hold another lecture in the room that this key has opened.

        more: text, the file of the lecturer's own lecture; lost, whether this lecturer had opened the room before.
        RefusedError: the name is taken, or there are too many rooms.
        """
        text = more.get("text", "")
        try:
            room = self.of_lecturer(name, key, now)
        except RefusedError as refused:
            if refused.reason != "closed":
                raise
            self._make_way(address, now)
            room = Room(_digest(key), address, now, now, named, lecture.stops, lost=bool(more.get("lost")))
            self._rooms[name] = room
        room.holds(named, lecture, text)
        return room

    def close(self, name: str, key: str, now: float) -> None:
        """Forget a room and its answers. RefusedError: the room is not open, or was opened with another key."""
        self.of_lecturer(name, key, now)
        del self._rooms[name]

    def _make_way(self, address: str, now: float) -> None:
        """Remove the silent room with the fewest voters if there are too many. RefusedError: no room is silent."""
        if sum(room.address == address for room in self._rooms.values()) >= MOST_OF_ONE_ADDRESS:
            mine = [name for name, room in self._rooms.items() if room.address == address]
            self._forget_one(mine, now)
        if len(self._rooms) >= MOST_ROOMS:
            self._forget_one(list(self._rooms), now)

    def _forget_one(self, names: list[str], now: float) -> None:
        silent = [name for name in names if now - self._rooms[name].seen > SILENT]
        if not silent:
            raise RefusedError("no_room")
        del self._rooms[min(silent, key=lambda name: (self._rooms[name].voters, self._rooms[name].seen))]


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
