"""A browser tab without a browser: the elements on its screen, and the messages that it keeps for later runs."""

import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# The messages that end a run; a run that gave way to another one is not over.
_OVER = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


def mount_points(bodies: Iterable[str]) -> list[dict[str, Any]]:
    """The data that HTML elements have for our scripts, in order. bodies: the HTML of elements."""
    found = [re.search(r'data-mount="([^"]*)"', body) for body in bodies]
    return [json.loads(html.unescape(one[1])) for one in found if one]


class LostSessionError(Exception):
    """The server referred to a message that the browser had forgotten: Streamlit's page ends the session for good."""


@dataclass
class Tab:
    """The state of a tab after the messages of a server.

    page, query: as the server knows them; seen: the kept messages, by hash; failed: errors that no visitor should see.
    """

    page: str = ""
    query: str = ""
    seen: dict[str, ForwardMsg] = field(default_factory=dict, repr=False)
    failed: list[str] = field(default_factory=list)
    _screen: dict[tuple[int, ...], Delta] = field(default_factory=dict, repr=False)
    _fresh: set[tuple[int, ...]] = field(default_factory=set, repr=False)
    _run: frozenset[str] = frozenset()
    _used: dict[str, int] = field(default_factory=dict, repr=False)
    _runs: int = 0
    _kept_runs: int = 0

    @property
    def shown(self) -> list[Delta]:
        """All elements on the screen, in order."""
        return [delta for _, delta in sorted(self._screen.items())]

    def elements(self, kind: str) -> list[Any]:
        """The elements of a kind on the screen."""
        drawn = (delta.new_element for delta in self.shown)
        return [getattr(one, kind) for one in drawn if one.WhichOneof("type") == kind]

    def part_of(self, widget: str) -> str:
        """The part of the page with a widget; "" if the widget is in no part."""
        for delta in self._screen.values():
            kind = delta.new_element.WhichOneof("type")
            if kind and getattr(getattr(delta.new_element, kind), "id", "") == widget:
                return delta.fragment_id
        return ""

    def heard(self, message: ForwardMsg) -> bool:
        """Take in a message; True when the run is over."""
        kind, path = message.WhichOneof("type"), tuple(message.metadata.delta_path)
        if kind == "ref_hash":
            if message.ref_hash not in self.seen:
                raise LostSessionError(f"Cached ForwardMsg MISS [hash={message.ref_hash}]")
            self._used[message.ref_hash] = self._runs
            message, kind = self.seen[message.ref_hash], "delta"
        elif message.metadata.cacheable:
            self.seen[message.hash] = message
            self._used[message.hash] = self._runs
        if kind == "new_session":
            self._fresh, self._run = set(), frozenset(message.metadata.run.fragment_ids)
            self._kept_runs = message.new_session.config.max_cached_message_age
        elif kind == "navigation":
            self.page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            self._draw(path, message.delta)
            if message.delta.new_element.WhichOneof("type") == "exception":
                self.failed.append(message.delta.new_element.exception.message)
        elif kind == "session_event" and message.session_event.WhichOneof("type") == "script_compilation_exception":
            self.failed.append("the script does not compile")
        is_over = kind == "script_finished" and message.script_finished in _OVER
        # A run whose beginning was not reported removes no old elements at its end.
        if is_over and message.metadata.run.script_run_id:
            self._clear()
            self._forget()
        return is_over

    def _draw(self, path: tuple[int, ...], delta: Delta) -> None:
        stood = self._screen.pop(path, Delta())
        # A repeated block keeps its contents.
        if stood.HasField("add_block") and stood.add_block.WhichOneof("type") != delta.add_block.WhichOneof("type"):
            for inside in [one for one in self._screen if one[: len(path)] == path]:
                del self._screen[inside]
        if delta.new_element.WhichOneof("type") != "empty":
            self._screen[path] = delta
        self._fresh.add(path)

    def _forget(self) -> None:
        """Keep the messages that the last runs needed, as a browser does; a run of parts only forgets its own."""
        self._runs += 1
        for old in [one for one in self._used if self._is_of_run(self.seen[one].delta) and self._is_old(one)]:
            del self.seen[old], self._used[old]

    def _is_of_run(self, delta: Delta) -> bool:
        """Whether the run that has ended was responsible for an element."""
        return not self._run or delta.fragment_id in self._run

    def _is_old(self, message: str) -> bool:
        return self._runs - self._used[message] > self._kept_runs

    def _clear(self) -> None:
        """Remove elements for which the ended run was responsible, and which it did not draw."""
        drawn = {path for path in self._fresh if path in self._screen and self._is_of_run(self._screen[path])}
        for path in [path for path in self._screen if path not in self._fresh]:
            # A run of parts clears only what is inside a part that it drew.
            if not self._run or any(path[:length] in drawn for length in range(len(path))):
                del self._screen[path]
