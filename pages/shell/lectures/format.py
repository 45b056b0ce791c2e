"""Lectures as data: a TOML file is a title and its stops; errors are reported with their line."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pages.shell.i18n import LANGUAGES, say, spoken
from pages.shell.i18n.markdown import plain
from pages.shell.lectures.toml_depth import deepest
from pages.shell.state.reader import LECTURES
from pages.shell.state.registry import ALL_FIELDS, default, settled
from pages.shell.state.url import written

_HERE = Path(__file__).parent
_PAGES = _HERE.parent.parent
MOST_STOPS, MOST_LETTERS, MOST_MINUTES, MOST_TURNS = 99, 2000, 999, 12
# The letters of the choices of a question.
LETTERS = "abcdefgh"
# _DEEPEST: most parts of a dotted key, where a stop needs two (`screen.mask`). _QUOTED: characters of a wrong file that
# a message quotes.
_DEEPEST, _QUOTED = 8, 200
_TOP = ("title", "minutes", "stop")
_TEXTS = ("question", "answer", "look", "notes")
_FLAGS = ("cover", "play")
_PLACES = {"cell": "weights.3.1", "figure": "weights", "at": "answers-future"}
_KEYS = {"page", "screen", "choices", "right", "claims", "turn", *_TEXTS, *_FLAGS, *_PLACES}


class LectureError(ValueError):
    """A fault of a file, with its line. `str` gives it in English, `told` in the language of a visitor."""

    def __init__(self, line: int, reason: str, **values: object) -> None:
        self.line, self.reason = line, reason
        self.values = {name: value if name == "choices" else _shortened(str(value)) for name, value in values.items()}
        super().__init__(self.told(LANGUAGES[0]))

    def told(self, language: str | None = None) -> str:
        """The line and the reason in a language; None means the language of the screen."""
        why = say(f"lecture.wrong.{self.reason}", language, **self.values)
        return say("lecture.line", language, line=self.line, reason=why)


# A text is a string, or one for each language.
Text = str | Mapping[str, str]


@dataclass(frozen=True)
class Stop:
    """A stop of a lecture: a screen, a question about it, and the answer.

    page, screen: what is shown; screen has values by control, all others have their defaults. figure, at: the page
    scrolls to the figure, in the container with the key `at` if that is given; without a figure, to that container.
    cell: a number to point at. right: the letter of the right choice. cover: whether the figure is covered until the
    answer is revealed. turn: a control, and the values that it is turned through one by one. play: whether turning, or
    else the sentences about the steps, advance by themselves. claims: what the figures must show for the answer to be
    true, for the tests.
    """

    page: str
    screen: Mapping[str, Any]
    question: Text = ""
    choices: tuple[Text, ...] = ()
    right: str = ""
    answer: Text = ""
    look: Text = ""
    notes: Text = ""
    cell: str = ""
    figure: str = ""
    at: str = ""
    cover: bool = False
    turn: tuple[str, tuple[Any, ...]] | None = None
    play: bool = False
    claims: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Lecture:
    title: Text
    minutes: int
    stops: tuple[Stop, ...]


@cache
def pages() -> tuple[str, ...]:
    """The names that a stop may give to its page."""
    return tuple(sorted(path.stem for path in _PAGES.glob("*.py")))


def read(text: str) -> Lecture:
    """A lecture from its file. LectureError, a ValueError: the fault of the file, beginning with its line."""
    try:
        # Editors on Windows begin a file with a byte order mark.
        return _read(text.removeprefix("\ufeff"))
    except LectureError:
        raise
    # Deeply nested inline tables exceed the recursion limit when they are read, compared or quoted.
    except RecursionError:
        raise LectureError(1, "deep") from None
    # Python refuses to read or write a number of thousands of digits.
    except ValueError as error:
        raise LectureError(1, "toml", error=error) from None


def _read(text: str) -> Lecture:
    if deepest(text) > _DEEPEST:
        raise LectureError(1, "deep")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise LectureError(line, "toml", error=error) from None
    lines = [index for index, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*stop\s*\]\]", line)]
    stops = tables.get("stop")
    if unknown := set(tables) - set(_TOP):
        raise LectureError(1, "key", key=repr(min(unknown)), choices=", ".join(_TOP))
    if not isinstance(stops, list) or not 1 <= len(stops) <= MOST_STOPS or len(lines) != len(stops):
        raise LectureError(1, "stops", most=MOST_STOPS)
    title, minutes = tables.get("title"), tables.get("minutes", 0)
    if not _is_text(title) or not title:
        raise LectureError(1, "title")
    if not isinstance(minutes, int) or isinstance(minutes, bool) or not 0 <= minutes <= MOST_MINUTES:
        raise LectureError(1, "minutes", most=MOST_MINUTES, minutes=repr(minutes))
    return Lecture(title, minutes, tuple(_stop(stop, line) for stop, line in zip(stops, lines, strict=True)))


def _stop(table: Any, line: int) -> Stop:
    if not isinstance(table, dict):
        raise LectureError(line, "table")
    for key in table:
        if key not in _KEYS:
            raise LectureError(line, "key", key=repr(key), choices=", ".join(sorted(_KEYS)))
    if (page := table.get("page")) not in pages():
        raise LectureError(line, "page", page=repr(page), choices=", ".join(pages()))
    for key in _TEXTS:
        if not _is_text(table.get(key, "")):
            raise LectureError(line, "text", key=key, most=MOST_LETTERS)
    choices = table.get("choices", [])
    if not isinstance(choices, list) or len(choices) > len(LETTERS) or not all(map(_is_text, choices)):
        raise LectureError(line, "choices", most=len(LETTERS))
    letters = LETTERS[: len(choices)]
    if (right := table.get("right", "")) != "" and right not in tuple(letters):
        raise LectureError(line, "right", right=repr(right), choices=", ".join(letters))
    for key, example in _PLACES.items():
        if not isinstance(table.get(key, ""), str):
            raise LectureError(line, "example", key=key, example=repr(example))
    for key in _FLAGS:
        if not isinstance(table.get(key, False), bool):
            raise LectureError(line, "flag", key=key)
    given = {key: table[key] for key in (*_TEXTS, *_FLAGS, *_PLACES) if key in table}
    claims = table.get("claims", [])
    if not isinstance(claims, list) or not all(isinstance(claim, dict) for claim in claims):
        raise LectureError(line, "claims")
    return Stop(
        page=page,
        screen=_screen(table.get("screen", {}), line),
        choices=tuple(choices),
        right=right,
        turn=_turn(table.get("turn", {}), line),
        claims=tuple(claims),
        **given,
    )


def _turn(table: Any, line: int) -> tuple[str, tuple[Any, ...]] | None:
    """The control and the values of `turn = { d_k = ["4", "16"] }`, which has exactly one."""
    if not table and isinstance(table, dict):
        return None
    values = next(iter(table.values())) if isinstance(table, dict) and len(table) == 1 else None
    if not isinstance(values, list) or not 0 < len(values) <= MOST_TURNS:
        raise LectureError(line, "turn", most=MOST_TURNS)
    (name,) = table
    return name, tuple(_screen({name: value}, line)[name] for value in values)


def _screen(screen: Any, line: int) -> dict[str, Any]:
    if not isinstance(screen, dict):
        raise LectureError(line, "screen")
    for name, value in screen.items():
        if name not in ALL_FIELDS:
            raise LectureError(line, "control", control=repr(name), choices=", ".join(ALL_FIELDS))
        if refused := settled({name: written(value)}):
            raise LectureError(line, "value", control=name, value=repr(value), nearest=repr(refused[name][1]))
    return {name: type(default(name))(value) for name, value in screen.items()}


def _shortened(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def _is_text(value: Any) -> bool:
    texts = list(value.values()) if isinstance(value, dict) else [value]
    return all(isinstance(text, str) and len(text) <= MOST_LETTERS for text in texts)


@cache
def lecture(name: str) -> Lecture:
    """A lecture that the app ships. ValueError: the file is wrong, or does not exist."""
    if name not in LECTURES:
        raise ValueError(f"unknown lecture {name!r}; one of {', '.join(LECTURES)}")
    return read((_HERE / f"{name}.toml").read_text(encoding="utf-8"))


def in_language(text: Text, language: str) -> str:
    """A text in a language, else in English, else in any language that it has."""
    if isinstance(text, str):
        return text
    return text.get(language) or text.get("en") or next(iter(text.values()), "")


def said(text: Text) -> str:
    """A text of a lecture in the language of the screen, escaped, since a lecture may come from a stranger."""
    return plain(in_language(text, spoken()))
