"""A browser that is sent everything, and one that is sent what it needs; messages to send them."""

from copy import deepcopy
from dataclasses import dataclass, field

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed

from benchmarks.tab import Tab
from pages.shell.server.screen import Screen

OF_PAGE, OF_ROWS = ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
GAVE_WAY = ForwardMsg.FINISHED_EARLY_FOR_RERUN
BLOCKS = ("flex_container", "expandable")
# The id of a container that is there without anything in it.
FRAME = "frame"


def drawn(place: tuple[int, ...], row: str, kind: str, text: str = "", acts: bool = False) -> ForwardMsg:
    """An element or block. kind: of the element; of a block, that of its field. text: what it says, or its id."""
    message = ForwardMsg()
    message.delta.fragment_id = row
    message.metadata.delta_path.extend(place)
    if kind in BLOCKS:
        getattr(message.delta.add_block, kind).SetInParent()
        message.delta.add_block.id = text
        message.delta.add_block.allow_empty = text == FRAME
    else:
        element = getattr(message.delta.new_element, kind)
        setattr(element, "body" if kind == "markdown" else "id", text)
        message.delta.new_element.has_one_shot_effect = acts
    populate_hash_if_needed(message)
    message.metadata.cacheable = kind in ("markdown", "slider")
    return message


def status(is_running: bool) -> ForwardMsg:
    message = ForwardMsg()
    message.session_status_changed.script_is_running = is_running
    return message


def run(*shown: ForwardMsg, rows: str = "", end: int | None = None) -> list[ForwardMsg]:
    """The messages of a run of these rows, one a letter; of the page, where there are none."""
    begins, ends = ForwardMsg(), ForwardMsg()
    begins.new_session.config.max_cached_message_age = 10**6
    ends.script_finished = (OF_ROWS if rows else OF_PAGE) if end is None else end
    for message in (begins, ends):
        message.metadata.run.script_run_id = "run"
        message.metadata.run.fragment_ids.extend(rows)
    return [begins, status(True), *shown, ends, status(False)]


@dataclass
class Browser(Tab):
    """held: the widgets whose values it keeps; is_running: what it says of the run."""

    held: set[str] = field(default_factory=set)
    is_running: bool = False

    def heard(self, message):
        is_over = super().heard(message)
        if message.HasField("session_status_changed"):
            self.is_running = message.session_status_changed.script_is_running
        shown = {one.id for one in self.elements("slider")}
        shown |= {one.add_block.id for one in self.shown if one.add_block.HasField("expandable")}
        self.held = shown if is_over and message.metadata.run.script_run_id else self.held | shown
        return is_over

    @property
    def visible(self):
        """What can be seen: no container that has nothing in it."""
        filled = {place[:-1] for place in self._screen}
        return [
            delta
            for place, delta in sorted(self._screen.items())
            if place in filled or not delta.add_block.HasField("flex_container")
        ]


class Both:
    """A browser that is sent everything, and one that is sent what it needs."""

    def __init__(self):
        self.all, self.needing, self.screen = Browser(), Browser(), Screen()

    def sent(self, messages: list[ForwardMsg]) -> list[ForwardMsg]:
        for message in messages:
            self.all.heard(message)
        needed = self.screen.needs(deepcopy(messages))
        for message in needed:
            self.needing.heard(message)
        for name in ("visible", "held", "is_running"):
            assert getattr(self.needing, name) == getattr(self.all, name), name
        return needed
