"""The reader's own settings: the language, the current stop of a lecture, and whether questions come before figures."""

from dataclasses import dataclass
from pathlib import Path

from pages.shell.i18n import LANGUAGES
from pages.shell.state.controls import Controls, knob
from pages.shell.state.fields import Choice, Flag, Range, Text

LECTURES = tuple(sorted(path.stem for path in (Path(__file__).resolve().parent.parent / "lectures").glob("*.toml")))


@dataclass(frozen=True)
class Reader(Controls):
    """The reader's settings, on every page. lang auto: the browser's language; lecture own: the lecture that was opened
    here; room: the name of the room whose answers to a lecture are counted together, empty for none; quiz: whether
    figures stay covered until the question before them is answered."""

    lang: str = knob("auto", Choice(("auto", *LANGUAGES)))
    lecture: str = knob("none", Choice(("none", *LECTURES, "own")))
    stop: int = knob(1, Range(1, 99))
    present: bool = knob(False, Flag())
    room: str = knob("", Text(24))
    quiz: bool = knob(False, Flag())
