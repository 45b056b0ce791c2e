"""Changes of settings by code, by a widget or by a figure, and the settings that the browser is told."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from pages.shell.state.opens_with import named
from pages.shell.state.registry import ALL_FIELDS, OF_FIGURES, default
from pages.shell.state.settings import settings
from pages.shell.state.unset import unset
from pages.shell.state.url import written

# Most characters of the name of a cell.
_LONGEST = 200
NAMES = frozenset(ALL_FIELDS) | OF_FIGURES
# Painted cells invert the mask. Another mask drops them; otherwise a cell that was hidden by hand could become visible.
PAINTED = "painted"
_MASKS = frozenset({"mask", "width", "length"})


@cache
def at_first(name: str, page: str = "") -> str:
    """The value of an untouched setting, as text. page: the page where it applies; "" for a page with the default."""
    return unset(page).get(name) or (written(default(name)) if name in ALL_FIELDS else "")


def _here(name: str) -> str:
    return at_first(name, settings().opened)


def now(name: str) -> str:
    """The present value of a setting, as text."""
    return settings().texts.get(name, _here(name))


def is_set(name: str, page: str) -> bool:
    """Whether a setting differs from the value of an untouched page."""
    first = at_first(name, page)
    return settings().texts.get(name, first) != first


def set_controls(values: Mapping[str, Any], page: str | None = None) -> None:
    """Set controls by code, and the page of the next run if one is given. A control that already has its value keeps
    its widget."""
    held = settings()
    there = page or held.opened
    for name, value in values.items():
        if held.texts.get(name, at_first(name, there)) != written(value):
            held.set(name, written(value))
            held.renew(name)
    held.page = page or held.page


def choose(name: str, key: str, value: Any) -> bool:
    """Set a visitor's choice in the widget with this key; another mask drops the painted cells. False if a newer widget
    has replaced this one."""
    held = settings()
    if value is None or held.key(name) != key:
        return False
    held.set(name, written(value))
    if name in _MASKS:
        set_controls({PAINTED: ""})
    return True


def give(given: Mapping[str, tuple[str, int]]) -> frozenset[str]:
    """Set the settings that figures have given, and return the names of those that changed.

    given: by name the text, empty for the default, and how often figures have given it so far.
    """
    held = settings()
    fresh = {
        name: (text, count)
        for name, (text, count) in given.items()
        if name in NAMES and count > held.heard.get(name, 0)
    }
    held.heard |= {name: count for name, (_, count) in fresh.items()}
    asked = {name: _nearest(name, text) for name, (text, _) in fresh.items()}
    changed = {name: text for name, text in asked.items() if text != now(name)}
    set_controls(changed)
    # The browser waits for a confirmation of its message.
    held.at += 1
    return frozenset(changed)


def received(found: object) -> dict[str, tuple[str, int]]:
    """The settings in a message of a browser, by name as `give` takes them; malformed entries are left out."""
    given = found.items() if isinstance(found, dict) else ()
    return {
        name: (one[0], one[1])
        for name, one in given
        if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and type(one[1]) is int
    }


def _nearest(name: str, text: str) -> str:
    if name not in ALL_FIELDS:
        return text[:_LONGEST]
    return written(ALL_FIELDS[name].nearest(text, default(name))) if text else _here(name)


def told() -> dict[str, Any]:
    """The settings for the browser's address: those that differ from an untouched page, and those to which the page
    would give another value. An empty text removes a setting. The query is spelt as Streamlit spells it."""
    held = settings()
    kept = named(held.opened)
    texts = {
        name: text for name, text in held.texts.items() if text != _here(name) or name not in NAMES or name in kept
    }
    heard = max(held.heard.values(), default=0)
    held.address = urlencode([(name, text) for name, text in sorted(texts.items()) if text])
    told = {"session": held.session, "at": held.at, "heard": heard, "texts": texts}
    return told | {"query": held.address, "path": held.here}
