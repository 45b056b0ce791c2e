"""All heads of a model as small maps in groups, drawn by browser/wall.js."""

import base64
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from pages.shell.component import mount

# Cells along a side of a map: of more, some are left out, evenly.
_SIDE = 24
_SHADES, _HIDDEN = 254, 255


@dataclass(frozen=True)
class Head:
    """layer, head: from 1; label: all that is said of it in words; number: beside its map; weights (query, key), NaN
    where the mask hides."""

    layer: int
    head: int
    label: str
    number: str
    weights: np.ndarray

    @property
    def id(self) -> str:
        return f"{self.layer}.{self.head}"


@dataclass(frozen=True)
class Group:
    title: str
    text: str
    heads: Sequence[Head]


def wall(key: str, title: str, groups: Sequence[Group], on_choice: Callable[[], None]) -> None:
    """Draw the groups under a fixed key. on_choice: called before the next run when one was chosen: `chosen(key)`."""
    maps = [_shades(head.weights) for group in groups for head in group.heads]
    shades = base64.b64encode(np.stack(maps).tobytes()).decode()
    sent: dict[str, Any] = {
        "title": title,
        "shape": maps[0].shape,
        "shades": shades,
        "groups": [
            {
                "title": group.title,
                "text": group.text,
                "heads": [
                    {"id": head.id, "name": head.id, "label": head.label, "number": head.number} for head in group.heads
                ],
            }
            for group in groups
        ],
    }
    sent["stamp"] = f"{zlib.crc32(repr(sent).encode()):08x}"
    mount(key, {"wall": sent}, on_choice_change=on_choice)


def opened(key: str, layer: int, head: int) -> None:
    """Mark the head that is opened, both from 1, in all walls of the page."""
    mount(key, {"opened": f"{layer}.{head}"})


def chosen(key: str) -> tuple[int, int] | None:
    """The layer and the head that were chosen, from 1, input from outside like any other; None for what is nothing."""
    match st.session_state[key].get("choice"):
        case {"head": str(id)} if found := re.fullmatch(r"(\d{1,3})\.(\d{1,3})", id):
            return int(found[1]), int(found[2])
    return None


def _shades(weights: np.ndarray) -> np.ndarray:
    """Each weight's place between 0 and 1, 0 to 254, and 255 where the mask hides it."""
    side = len(weights)
    some = np.arange(side) if side <= _SIDE else (np.arange(_SIDE) * 2 + 1) * side // (2 * _SIDE)
    z = weights[np.ix_(some, some)]
    shades = np.rint(z.clip(0, 1) * _SHADES)
    return np.where(np.isnan(z), _HIDDEN, np.nan_to_num(shades)).astype(np.uint8)
