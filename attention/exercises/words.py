"""The words of the exercises, which are all in texts.toml, in English."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def texts() -> dict[str, Any]:
    return tomllib.loads((files("attention.exercises") / "texts.toml").read_text(encoding="utf-8"))


def say(id: str, **values: object) -> str:
    """A message of the check."""
    message: str = texts()["message"][id]
    return message.format(**values)


def task(exercise: str) -> dict[str, str]:
    """The texts of an exercise: the task (`says`), `signature`, `returns`, and the `screen` of the app about it."""
    return {name: text for name, text in texts()["exercise"][exercise].items() if isinstance(text, str)}


def mistakes(exercise: str) -> dict[str, dict[str, str]]:
    """The texts of mistakes, by the part of the id before the colon: the message (`says`), and the `screen`."""
    found: dict[str, dict[str, str]] = texts()["exercise"][exercise]["wrong"]
    return found


def mistake(exercise: str, id: str) -> tuple[str, str]:
    """The sentence that names a mistake, and the screen that shows it."""
    kind, _, at = id.partition(":")
    row = mistakes(exercise)[kind]
    return row["says"].format(at=at), row["screen"]
