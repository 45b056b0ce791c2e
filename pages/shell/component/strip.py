"""The pipeline as data: every step as a small heatmap in its place in the flow, drawn by browser/strip.js."""

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention.figures import Heads, Heatmap
from pages.shell.component.heatmap import range_of, stamp

# The most cells along a side of a tile, and of a head in it; further cells are left out evenly.
_SIDE, _SIDE_OF_HEAD = 64, 16
_SHADES, _HIDDEN = 254, 255


@dataclass(frozen=True)
class Tile:
    """A step in the flow, or the place of a step that this run lacks.

    row: the place of its quantity in the table of `words`; letter: its sign, `_` before an index; operator: what makes
    it from the step before; part, column: its place, from 0; lane: its first lane of the fork, from 0; span: its number
    of lanes; name: its name in a word; heads: the same step of each head, if there are several; missing: why there is
    no such step, in words, and then no heatmap; kind: that of its numbers, if it is not the quantity's.
    """

    id: str
    row: int
    letter: str
    operator: str
    part: int
    column: int
    lane: int
    span: int
    name: str
    heatmap: Heatmap | None = None
    heads: Heads | None = None
    missing: str = ""
    kind: str = ""

    def sent(self) -> dict[str, Any]:
        """The data for the browser: shades in place of numbers, which the large figure has."""
        sent: dict[str, Any] = {
            "id": self.id,
            "of": self.row,
            "letter": self.letter,
            "operator": self.operator,
            "name": self.name,
            "place": [self.part, self.column, self.lane, self.span],
        }
        if self.heatmap is None:
            return sent | {"missing": self.missing}
        shades = _shades(self.heatmap.z, *range_of(self.heatmap), _SIDE)
        sent |= {
            # The mark is that of the large figure, which shows the same numbers on the same scale.
            "stamp": stamp(self.heatmap),
            "range": range_of(self.heatmap),
            "size": self.heatmap.size,
            "shape": shades.shape,
            "shades": _text(shades),
        }
        if self.kind:
            sent["kind"] = self.kind
        if self.heads is not None:
            heads = _shades(self.heads.z, self.heads.low, self.heads.high, _SIDE_OF_HEAD)
            sent |= {"heads": heads.shape, "shades_of_heads": _text(heads)}
        return sent


def _shades(z: np.ndarray, low: float | np.ndarray, high: float | np.ndarray, most: int) -> np.ndarray:
    """The place of each cell in the colour range, 0 to 254, and 255 where the mask hides it. z: (..., rows,
    columns)."""
    for axis in (-2, -1):
        if z.shape[axis] > most:
            z = z.take(_some(z.shape[axis], most), axis)
    hidden = np.isnan(z)
    shades = (z.clip(low, high) - low) * (_SHADES / (high - low))
    return np.where(hidden, _HIDDEN, np.rint(np.where(hidden, 0, shades))).astype(np.uint8)


def shades(z: np.ndarray, bound: float) -> str:
    """Signed numbers as text for the browser: shades of one range, from -bound to bound."""
    return _text(_shades(z, -bound, bound, max(z.shape)))


def _some(count: int, most: int) -> np.ndarray:
    """The given number of indices out of `count`, evenly spaced."""
    return (np.arange(most) * 2 + 1) * count // (2 * most)


def _text(shades: np.ndarray) -> str:
    return base64.b64encode(shades.tobytes()).decode()
