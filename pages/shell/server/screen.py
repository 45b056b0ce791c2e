"""What a browser has been sent of a page, and what of the next messages it can do without.

A place is the path of an element or block; each belongs to a row, a fragment of Streamlit, or to none.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# How many of the messages that a browser keeps are remembered.
KEPT = 512
_ENDED, _PAGE_ENDED = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY, ForwardMsg.FINISHED_SUCCESSFULLY
_DRAWN = ("delta", "ref_hash")
# What holds other elements alone; such a one that is not to be seen where it has none; what is pressed and forgotten.
_CONTAINER, _SHRINKING, _BUTTON = "flex_container", "shrinking container", "button"
_BUTTONS = ("button", "download_button")

Place = tuple[int, ...]


class Drawn(NamedTuple):
    """What stands at a place. kind: of a block or a button, "" of another element; widget: its id, "" of what has no
    value to hold.

    acts: given again, it acts again, as a slider does that is put somewhere.
    """

    row: str
    kind: str
    widget: str
    hash: str
    acts: bool = False

    def fits(self, other: "Drawn") -> bool:
        """Whether one can stand where the other stood, and the browser needs to forget nothing."""
        return self[:3] == other[:3]


@dataclass
class Screen:
    """One browser: what it holds, no less and no more. A page that is drawn anew takes the place of the one before."""

    _is_running: bool = False
    # Whether a page was drawn to its end: of one that was not, what stood before stands beside it.
    _is_whole: bool = False
    # Where something stands for something else: it forgets that at the end of a run of these rows that it is told of.
    _to_forget: frozenset[str] = frozenset()
    # Of the run before.
    _rows: frozenset[str] = frozenset()
    _fresh: set[Place] = field(default_factory=set)
    _drawn: dict[Place, Drawn] = field(default_factory=dict)
    # Messages that can be referred to, by their hash.
    _kept: dict[str, Drawn] = field(default_factory=dict)

    def needs(self, messages: list[ForwardMsg]) -> list[ForwardMsg]:
        """Those of the next messages that change something; they count as sent."""
        sent: list[ForwardMsg] = []
        at = 0
        while at < len(messages):
            run = run_of_rows(messages, at)
            # A browser that comes back asks for its whole page (reopen.js): it may have missed what it was not told of.
            is_ready = self._is_whole and not self._is_running and not self._to_forget
            gone = self._gone(run) if run and is_ready else None
            if gone is None:
                run = run or [messages[at]]
                sent += run
            else:
                sent += self._changed(run, gone)
            for message in run:
                self._take_in(message)
            for place in gone or ():
                self._drawn.pop(place, None)
            at += len(run)
        return sent

    def _gone(self, run: list[ForwardMsg]) -> list[Place] | None:
        """The places that a run leaves empty, the outermost of them; None: the browser has to be told of the run."""
        fresh: dict[Place, Drawn] = {}
        for message in _drawn(run):
            place, drawn = _place(message), self._read(message)
            stood = self._drawn.get(place)
            if drawn is None or place in fresh or (stood and not stood.fits(drawn)):
                return None
            fresh[place] = drawn
        left = self._left(frozenset(run[0].metadata.run.fragment_ids), set(fresh))
        # At the end of a run that it is told of, the browser forgets what a widget held that is gone.
        if any((one := self._drawn[place]).widget and one.kind != _BUTTON for place in left):
            return None
        around, lost = {place[:-1] for place in fresh}, set(left)
        gone = {_emptied(place, fresh, around) for place in left if place[:-1] not in lost}
        # It keeps the gap around what is emptied, and a button until it is told; of a whole container, neither.
        if any(place in lost and (place[:-1] not in around or self._drawn[place].kind == _BUTTON) for place in gone):
            return None
        return sorted(gone)

    def _changed(self, run: list[ForwardMsg], gone: list[Place]) -> Iterator[ForwardMsg]:
        drawn = _drawn(run)
        for place in gone:
            message = ForwardMsg()
            message.delta.new_element.empty.SetInParent()
            message.delta.fragment_id = self._drawn[place].row
            message.metadata.delta_path.extend(place)
            message.metadata.active_script_hash = drawn[0].metadata.active_script_hash
            yield message
        for message in drawn:
            if _place(message) in gone:
                continue
            new = self._read(message)
            if new is None or new.acts or self._drawn.get(_place(message)) != new:
                # It would keep this until so many runs are over that it is told of.
                message.metadata.cacheable = False
                yield message
        # It says no run: what is of another one stays.
        over = ForwardMsg()
        over.script_finished = _ENDED
        yield over

    def _take_in(self, message: ForwardMsg) -> None:
        """Note what the browser makes of a message."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._rows, self._fresh = frozenset(message.metadata.run.fragment_ids), set()
            if not self._rows:
                self._is_whole = False
                self._drawn.clear()
        elif kind == "session_status_changed":
            self._is_running = message.session_status_changed.script_is_running
        elif kind == "script_finished" and message.script_finished in (_ENDED, _PAGE_ENDED):
            self._is_whole |= message.script_finished == _PAGE_ENDED
            self._to_forget = self._to_forget - self._rows if self._rows else frozenset()
            for place in self._left(self._rows, self._fresh):
                del self._drawn[place]
        elif kind in _DRAWN:
            self._take_in_drawn(message)

    def _take_in_drawn(self, message: ForwardMsg) -> None:
        place, drawn = _place(message), self._read(message)
        if drawn is None:
            return
        self._fresh.add(place)
        stood = self._drawn.get(place)
        if stood and not stood.fits(drawn):
            self._to_forget |= self._rows
        # A block that is given again keeps what is in it.
        if stood and stood.kind and stood.kind != drawn.kind:
            for inside in [one for one in self._drawn if one[: len(place)] == place]:
                del self._drawn[inside]
        self._drawn[place] = drawn
        if message.metadata.cacheable or message.HasField("ref_hash"):
            self._kept.pop(drawn.hash, None)
            self._kept[drawn.hash] = drawn
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]

    def _read(self, message: ForwardMsg) -> Drawn | None:
        """What a message draws; None: nothing that stays."""
        if message.HasField("ref_hash"):
            # What is not remembered may be a widget, and may act.
            return self._kept.get(message.ref_hash, Drawn("", "", message.ref_hash, message.ref_hash, acts=True))
        delta = message.delta
        if delta.HasField("add_block"):
            block, name = delta.add_block, delta.add_block.WhichOneof("type") or "block"
            kind = _SHRINKING if name == _CONTAINER and not block.allow_empty else name
            return Drawn(delta.fragment_id, kind, "" if name == _CONTAINER else block.id, message.hash)
        if delta.HasField("new_element"):
            what = delta.new_element.WhichOneof("type") or ""
            widget = getattr(getattr(delta.new_element, what, None), "id", "")
            kind = _BUTTON if what in _BUTTONS else ""
            return Drawn(delta.fragment_id, kind, widget, message.hash, delta.new_element.has_one_shot_effect)
        return None

    def _left(self, rows: frozenset[str], fresh: set[Place]) -> list[Place]:
        """The places that a run of these rows leaves: it drew the row around them, and not them."""
        around = {place for place in fresh if (one := self._drawn.get(place)) and one.row in rows}
        return [
            place
            for place in self._drawn
            if place not in fresh and any(place[:length] in around for length in range(len(place)))
        ]


def run_of_rows(messages: list[ForwardMsg], at: int) -> list[ForwardMsg]:
    """The messages from there on that tell of one run of rows, if it is whole and says nothing beside them; or none."""
    if not messages[at].metadata.run.fragment_ids or not messages[at].HasField("new_session"):
        return []
    for count in range(at + 1, len(messages) - 1):
        kind = messages[count].WhichOneof("type")
        if kind == "script_finished":
            is_over = messages[count].script_finished == _ENDED
            told = messages[count + 1]
            is_told = told.HasField("session_status_changed") and not told.session_status_changed.script_is_running
            return messages[at : count + 2] if is_over and is_told else []
        if kind not in (*_DRAWN, "session_status_changed"):
            return []
    return []


def _drawn(run: list[ForwardMsg]) -> list[ForwardMsg]:
    return [message for message in run if message.WhichOneof("type") in _DRAWN]


def _place(message: ForwardMsg) -> Place:
    return tuple(message.metadata.delta_path)


def _emptied(place: Place, fresh: dict[Place, Drawn], around: set[Place]) -> Place:
    """The place to empty for one that is left: the container around it, where nothing else is drawn in that."""
    outer = place[:-1]
    shrinks = outer in fresh and outer not in around and fresh[outer].kind == _SHRINKING
    return _emptied(outer, fresh, around) if shrinks else place
