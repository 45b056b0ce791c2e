"""Write a lecture as TOML that `format.read` reads back unchanged."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from pages.shell.lectures.format import Stop

# Keys in the order of the file. Empty texts are written too, for somebody to fill in by hand.
_PLACES, _TEXTS = ("cell", "figure", "at"), {"question": "", "choices": [], "answer": "", "look": "", "notes": ""}
_OTHERS = ("right", "cover", "play", "turn", "claims")


def file(title: Any, stops: Iterable[Mapping[str, Any]], minutes: int = 0) -> str:
    """The TOML of a lecture. stops: tables with the keys of a stop, of which page and screen are needed."""
    lines = [f"title = {_toml(title)}", f"minutes = {minutes}"]
    for stop in stops:
        lines += ["", "[[stop]]", f"page = {_toml(stop['page'])}", f"screen = {_toml(stop['screen'])}"]
        lines += [f"{key} = {_toml(stop[key])}" for key in _PLACES if stop.get(key)]
        lines += [f"{key} = {_toml(stop.get(key, empty))}" for key, empty in _TEXTS.items()]
        lines += [f"{key} = {_toml(stop[key])}" for key in _OTHERS if stop.get(key)]
    return "\n".join(lines) + "\n"


def table(stop: Stop) -> dict[str, Any]:
    """A stop as a table of the file: page, screen, and every field without its default."""
    held = {one.name: getattr(stop, one.name) for one in fields(Stop)}
    others = {one.name: one.default for one in fields(Stop) if one.name not in ("page", "screen")}
    found = {"page": stop.page, "screen": dict(stop.screen)}
    found |= {name: held[name] for name, empty in others.items() if held[name] != empty}
    if stop.turn is not None:
        found["turn"] = {stop.turn[0]: list(stop.turn[1])}
    return found


def _toml(value: Any) -> str:
    """A value as TOML. JSON writes strings, numbers and booleans as TOML does, but does not escape U+007F."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else f"{'-' if value < 0 else ''}inf"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "").isalnum() else _toml(name)
