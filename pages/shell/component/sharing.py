"""Query heads and the key heads that they read as data, drawn by browser/sharing.js."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent

_SHADES = 254


@dataclass(frozen=True)
class Sharing:
    """A figure: a line of query heads as maps of their scores, a line of key heads as maps of keys and values, and
    from each query head a line to the key head that it reads.

    scores: (h, n, n); kept: (g, n, d_k + d_v), where g divides h: head i reads i // (h / g). asks: the query head that
    is chosen, from 0; a click on another is reported as a row. reads: of each query head, what it reads, in words.
    labels: `queries` and `kept`, what stands above the lines, `query` and `key`, the columns of the table, `kind` and
    `keys`, what the figure is and what the keyboard does in it. note: as of a `Chart`.
    """

    id: str
    title: str
    scores: np.ndarray
    kept: np.ndarray
    asks: int
    reads: Sequence[str]
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        maps = {"scores": self.scores, "kept": self.kept}
        drawn = {
            "asks": self.asks,
            "shapes": {name: list(z.shape) for name, z in maps.items()},
            "shades": {name: _shades(z) for name, z in maps.items()},
        }
        words = dict(self.labels) | {"reads": list(self.reads)}
        return sent(self.id, self.title, "", self.note, "sharing", drawn) | {"labels": words}


def _shades(z: np.ndarray) -> str:
    """Each number's place between the largest magnitude below 0 and above it, 0 to 254."""
    most = np.abs(z).max() or 1.0
    shades = np.rint((z / most + 1) * (_SHADES / 2)).astype(np.uint8)
    return base64.b64encode(shades.tobytes()).decode()
