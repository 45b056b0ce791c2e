"""A lecture whose questions a room answers: what the browser has to know of it, to ask the server by itself.

No vote is a run of a page: docs/decisions/votes.md.
"""

from pages.shell import component
from pages.shell.i18n import catalogue, spoken
from pages.shell.lectures.format import Lecture, in_language
from pages.shell.lectures.room_names import of_reader
from pages.shell.state.reader import Reader


def draw(on: Lecture, number: int, page: str, *, revealed: bool) -> None:
    """The choices of the stop with this number in the bar. page: the one that is shown."""
    reader, stop = Reader.current(), on.stops[number - 1]
    shown = {
        "room": of_reader(reader.room),
        "lecture": reader.lecture,
        "stop": number,
        "revealed": revealed,
        "elsewhere": page != stop.page,
        "language": spoken(),
    }
    choices = [in_language(one, spoken()) for one in stop.choices]
    component.room(shown, choices, words(), is_last=number == len(on.stops))


def panel() -> None:
    """Under Teach: what the lecturer does with the room."""
    component.room_panel(words())


def words() -> dict[str, str]:
    """What is said of a room, by the ids by which the browser asks for it."""
    return {id.removeprefix("room."): text for id, text in catalogue(spoken()).items() if id.startswith("room.")}
