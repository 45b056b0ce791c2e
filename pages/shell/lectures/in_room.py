"""A lecture whose questions a room answers: tell the browser enough to ask the server by itself.

A vote causes no run of a page (docs/decisions/votes.md).
"""

from pages.shell import component
from pages.shell.i18n import catalogue, spoken
from pages.shell.lectures.format import Lecture, in_language
from pages.shell.lectures.room_names import of_reader
from pages.shell.state.reader import Reader


def draw(on: Lecture, number: int, page: str, *, revealed: bool) -> None:
    """The choices of the stop with this number, in the bar. page: the page that is shown."""
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
    """The lecturer's controls of the room, under Teach."""
    component.room_panel(words())


def words() -> dict[str, str]:
    """The texts about rooms, by the ids that the browser uses."""
    return {id.removeprefix("room."): text for id, text in catalogue(spoken()).items() if id.startswith("room.")}
