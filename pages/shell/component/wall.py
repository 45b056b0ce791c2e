"""All heads of a model as small maps in groups, drawn by browser/wall.js."""

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

# The most cells along a side of a map; further cells are left out evenly.
_SIDE = 24
_SHADES, _HIDDEN = 254, 255


@dataclass(frozen=True)
class Head:
    """layer, head: from 1; label: its whole description in words; number: the number beside its map; weights (query,
    key), NaN where the mask hides."""

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


def sent(title: str, groups: Sequence[Group]) -> dict[str, Any]:
    """The data for the browser."""
    maps = [_shades(head.weights) for group in groups for head in group.heads]
    shades = base64.b64encode(np.stack(maps).tobytes()).decode()
    drawn: dict[str, Any] = {
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
    return drawn | {"stamp": f"{zlib.crc32(repr(drawn).encode()):08x}"}


def _shades(weights: np.ndarray) -> np.ndarray:
    """Each weight scaled from 0–1 to 0–254; 255 where the mask hides it."""
    side = len(weights)
    some = np.arange(side) if side <= _SIDE else (np.arange(_SIDE) * 2 + 1) * side // (2 * _SIDE)
    z = weights[np.ix_(some, some)]
    shades = np.rint(z.clip(0, 1) * _SHADES)
    return np.where(np.isnan(z), _HIDDEN, np.nan_to_num(shades)).astype(np.uint8)
