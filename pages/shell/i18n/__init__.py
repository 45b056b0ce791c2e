"""The texts of the app by id, one TOML file per language; formulas and ids are never translated."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, reduce
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_HERE = Path(__file__).parent
# English comes first, as the default.
LANGUAGES = ("en", *sorted(path.stem for path in _HERE.glob("*.toml") if path.stem != "en"))
_SPOKEN = "language_spoken"
# The language of this thread's run. Asking the session a hundred times for a word costs as much as three sliders.
_here: ContextVar[str | None] = ContextVar(_SPOKEN, default=None)
_HOLE = re.compile(r"\{\{(\w+)\}\}")


@cache
def catalogue(language: str) -> dict[str, str]:
    """Every text of a language by its dotted id. ValueError: no file for the language."""
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}; one of {', '.join(LANGUAGES)}")
    tables = tomllib.loads((_HERE / f"{language}.toml").read_text(encoding="utf-8"))
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


def speak(wanted: str) -> str:
    """Settle the language of this visitor's screen: the wanted one, else the browser's, else English."""
    language = settled(wanted, st.context.locale or "")
    st.session_state[_SPOKEN] = language
    _here.set(language)
    return language


def settled(wanted: str, browser: str) -> str:
    """The wanted language, else the browser's (a locale such as `en-GB`), else the first of ours."""
    return next((one for one in (wanted, browser.partition("-")[0].lower()) if one in LANGUAGES), LANGUAGES[0])


def speak_on() -> None:
    """Give this thread, which has no language yet, the settled language of this visitor's screen."""
    _here.set(st.session_state.get(_SPOKEN))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use one language for all texts in this context. ValueError: no file for the language."""
    catalogue(language)
    token = _here.set(language)
    try:
        yield
    finally:
        _here.reset(token)


def spoken() -> str:
    """The language of the present screen."""
    if (language := _here.get()) is not None:
        return language
    if get_script_run_ctx(suppress_warning=True) is None:
        return LANGUAGES[0]
    return str(st.session_state.get(_SPOKEN, LANGUAGES[0]))


def say(id: str, language: str | None = None, **values: object) -> str:
    """The text of an id with its placeholders filled. KeyError: an unknown id, or a placeholder without a value."""
    return _HOLE.sub(lambda hole: str(values[hole[1]]), catalogue(language or spoken())[id])


def listed(how: str, parts: Iterable[str]) -> str:
    """Parts joined as the language writes them; how: comma, semicolon, or sentence for whole sentences."""
    return reduce(lambda first, following: say(f"list.{how}", first=first, following=following), parts)


def with_and(parts: Sequence[str]) -> str:
    """Words joined as a list with an *and* before the last."""
    return _ending("and", parts)


def with_or(parts: Sequence[str]) -> str:
    """Words joined as a list with an *or* before the last."""
    return _ending("or", parts)


def _ending(word: str, parts: Sequence[str]) -> str:
    *first, last = parts
    return say(f"list.{word}", first=listed("comma", first), following=last) if first else last
