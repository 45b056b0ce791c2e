"""Query heads and the key heads that they read as data, drawn by browser/sharing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent
from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Sharing:
    """A figure: a line of query heads as maps of their scores, a line of key heads as maps of keys and values, from
    each query head a line to the key head that it reads, and two bars: the cache and the answers.

    scores: (h, n, n); kept: (g, n, d_k + d_v), where g divides h: head i reads i // (h / g). asks: the query head that
    is chosen, from 0; a click on another is reported as a row. reads: of each query head, what it reads, in words.
    cached: the share of the cache that is left; right: the share of right answers, before and after the layer was
    trained on.
    labels: `queries` and `kept`, what stands at the lines; `sentence`, in place of `queries` where there is room;
    `query` and `key`, the columns of the table; `cache` and `right`, what the bars say; `kind` and `keys`, what the
    figure is and what the keyboard does in it. note: as of a `Chart`.
    """

    id: str
    title: str
    scores: np.ndarray
    kept: np.ndarray
    asks: int
    reads: Sequence[str]
    cached: float
    right: tuple[float, float]
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        maps = {"scores": self.scores, "kept": self.kept}
        drawn = {
            "asks": self.asks,
            "shapes": {name: list(z.shape) for name, z in maps.items()},
            "shades": {name: shades(z, np.abs(z).max() or 1.0) for name, z in maps.items()},
            "bars": {"cache": [self.cached], "right": [float(f"{share:.4g}") for share in self.right]},
        }
        words = dict(self.labels) | {"reads": list(self.reads)}
        return sent(self.id, self.title, "", self.note, "sharing", drawn) | {"labels": words}
