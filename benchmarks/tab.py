"""What a browser has of a page, without one: what is on the screen, and the messages that it keeps for later runs."""

from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# A run that gave way to another one is not over.
_OVER = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class LostSessionError(Exception):
    """The server referred to a message that the browser had forgotten: Streamlit's page ends the session for good."""


@dataclass
class Tab:
    """What the messages of a server have made of one tab.

    page and query: as the server knows them; seen: the messages that are kept, by hash; failed: what a run said that no
    visitor should see.
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
        """All that is on the screen, in its order."""
        return [delta for _, delta in sorted(self._screen.items())]

    def elements(self, kind: str) -> list[Any]:
        """The elements of a kind that are on the screen."""
        drawn = (delta.new_element for delta in self.shown)
        return [getattr(one, kind) for one in drawn if one.WhichOneof("type") == kind]

    def part_of(self, widget: str) -> str:
        """The part of the page that a widget stands in; "" where it stands in none."""
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
        # The end of a run that was not told of leaves all that it has not drawn.
        if is_over and message.metadata.run.script_run_id:
            self._clear()
            self._forget()
        return is_over

    def _draw(self, path: tuple[int, ...], delta: Delta) -> None:
        stood = self._screen.pop(path, Delta())
        # A block that is given again keeps what is in it.
        if stood.HasField("add_block") and stood.add_block.WhichOneof("type") != delta.add_block.WhichOneof("type"):
            for inside in [one for one in self._screen if one[: len(path)] == path]:
                del self._screen[inside]
        if delta.new_element.WhichOneof("type") != "empty":
            self._screen[path] = delta
        self._fresh.add(path)

    def _forget(self) -> None:
        """Keep of the messages those that the last runs needed, as a browser does; a run of parts judges its own."""
        self._runs += 1
        for old in [one for one in self._used if self._is_of_run(self.seen[one].delta) and self._is_old(one)]:
            del self.seen[old], self._used[old]

    def _is_of_run(self, delta: Delta) -> bool:
        """Whether the run that is over was to draw this."""
        return not self._run or delta.fragment_id in self._run

    def _is_old(self, message: str) -> bool:
        return self._runs - self._used[message] > self._kept_runs

    def _clear(self) -> None:
        """Take from the screen what the run that is over was to draw, and did not."""
        drawn = {path for path in self._fresh if path in self._screen and self._is_of_run(self._screen[path])}
        for path in [path for path in self._screen if path not in self._fresh]:
            # Of parts, what is in one that was drawn.
            if not self._run or any(path[:length] in drawn for length in range(len(path))):
                del self._screen[path]
