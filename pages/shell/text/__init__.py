"""The words of the app by id, one TOML file a language; formulas and ids are never translated."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en",)
_HOLE = re.compile(r"\{\{(\w+)\}\}")


@cache
def catalogue(language: str) -> dict[str, str]:
    """Every text of a language by its dotted id. ValueError: a language that there is no file for."""
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}; one of {', '.join(LANGUAGES)}")
    tables = tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text(encoding="utf-8"))
    return dict(_flat(tables, ""))


def _flat(table: dict[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def holes(text: str) -> set[str]:
    """The names of the placeholders `{{name}}` of a text."""
    return set(_HOLE.findall(text))


def say(id: str, language: str = LANGUAGES[0], **values: object) -> str:
    """The text of an id with its placeholders filled. KeyError: an unknown id, or a placeholder without a value."""
    return _HOLE.sub(lambda hole: str(values[hole[1]]), catalogue(language)[id])
