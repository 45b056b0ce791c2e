"""Lectures as data: a TOML file is a title and its stops; whatever is wrong with it is told with its line."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from pages.shell.knobs import written
from pages.shell.own import EVERY, LECTURES, default, settled

_HERE = Path(__file__).parent
_PAGES = _HERE.parent.parent
MOST_STOPS, MOST_LETTERS = 99, 2000
_TEXTS = ("question", "answer", "look", "notes")
_KEYS = {"page", "screen", "cell", "figure", "choices", "claims", *_TEXTS}

# A text is a string, or one for each language.
Text = str | Mapping[str, str]


@dataclass(frozen=True)
class Stop:
    """page and screen (control to value, the others at their defaults) say what is shown; figure is scrolled to, and
    cell may point at a number.

    claims: what the figures must hold for the answer to be true, for the tests.
    """

    page: str
    screen: Mapping[str, Any]
    question: Text = ""
    choices: tuple[Text, ...] = ()
    answer: Text = ""
    look: Text = ""
    notes: Text = ""
    cell: str = ""
    figure: str = ""
    claims: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Lecture:
    title: Text
    minutes: int
    stops: tuple[Stop, ...]


def pages() -> tuple[str, ...]:
    """The names that a stop may give to its page."""
    return tuple(sorted(path.stem for path in _PAGES.glob("*.py")))


def read(text: str) -> Lecture:
    """A lecture from its file. ValueError: what is wrong with it, beginning with its line."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise ValueError(f"line {line}: this is no TOML: {error}") from None
    except RecursionError:
        _refuse(1, "the tables are nested too deeply")
    lines = [index for index, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*stop\s*\]\]", line)]
    stops = tables.get("stop")
    if set(tables) - {"title", "minutes", "stop"}:
        _refuse(1, f"unknown key {min(set(tables) - {'title', 'minutes', 'stop'})!r}; one of title, minutes, stop")
    if not isinstance(stops, list) or not 1 <= len(stops) <= MOST_STOPS or len(lines) != len(stops):
        _refuse(1, f"a lecture has 1 to {MOST_STOPS} stops, each a [[stop]] table")
    title, minutes = tables.get("title"), tables.get("minutes", 0)
    if not _is_text(title) or not title:
        _refuse(1, "title must be a text")
    if not isinstance(minutes, int) or isinstance(minutes, bool) or minutes < 0:
        _refuse(1, f"minutes must be a whole number, got {minutes!r}")
    return Lecture(title, minutes, tuple(_stop(stop, line) for stop, line in zip(stops, lines, strict=True)))


def _stop(table: Any, line: int) -> Stop:
    if not isinstance(table, dict):
        _refuse(line, "a stop is a table")
    for key in table:
        if key not in _KEYS:
            _refuse(line, f"unknown key {key!r}; one of {', '.join(sorted(_KEYS))}")
    if (page := table.get("page")) not in pages():
        _refuse(line, f"unknown page {page!r}; one of {', '.join(pages())}")
    for key in _TEXTS:
        if not _is_text(table.get(key, "")):
            _refuse(line, f"{key} must be a text of at most {MOST_LETTERS} letters, or one for each language")
    choices = table.get("choices", [])
    if not isinstance(choices, list) or not all(map(_is_text, choices)):
        _refuse(line, "choices must be a list of texts")
    for key, example in (("cell", "weights.3.1"), ("figure", "weights")):
        if not isinstance(table.get(key, ""), str):
            _refuse(line, f"{key} must be a text such as {example!r}")
    texts = {key: table[key] for key in (*_TEXTS, "cell", "figure") if key in table}
    claims = tuple(table.get("claims", ()))
    return Stop(
        page=page, screen=_screen(table.get("screen", {}), line), choices=tuple(choices), claims=claims, **texts
    )


def _screen(screen: Any, line: int) -> dict[str, Any]:
    if not isinstance(screen, dict):
        _refuse(line, "screen must be a table of controls")
    for name, value in screen.items():
        if name not in EVERY:
            _refuse(line, f"unknown control {name!r}; one of {', '.join(EVERY)}")
        if refused := settled({name: written(value)}):
            _refuse(line, f"{name} cannot be {value!r}; the nearest is {refused[name][1]!r}")
    return {name: type(default(name))(value) for name, value in screen.items()}


def _is_text(value: Any) -> bool:
    texts = list(value.values()) if isinstance(value, dict) else [value]
    return all(isinstance(text, str) and len(text) <= MOST_LETTERS for text in texts)


def _refuse(line: int, reason: str) -> NoReturn:
    raise ValueError(f"line {line}: {reason}")


@cache
def lecture(name: str) -> Lecture:
    """A lecture that the app ships. ValueError: the file is wrong, or there is none."""
    if name not in LECTURES:
        raise ValueError(f"unknown lecture {name!r}; one of {', '.join(LECTURES)}")
    return read((_HERE / f"{name}.toml").read_text(encoding="utf-8"))


def in_language(text: Text, language: str) -> str:
    """A text in a language, else in English, else in whatever there is."""
    if isinstance(text, str):
        return text
    return text.get(language) or text.get("en") or next(iter(text.values()), "")
