"""Scores with a tile that wanders, and what is kept of each query, as data: drawn by browser/running.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent
from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Kept:
    """What is kept of a query: its maximum and its sum so far, and its output so far; written: both numbers in words.
    None before its first tile, and where no key was allowed."""

    maximum: float
    sum: float
    output: np.ndarray
    written: tuple[str, str]


@dataclass(frozen=True)
class Running:
    """A figure: scores (queries, keys), NaN where a mask hides, with a tile of rows and columns from 0, ends left out,
    and beside each row what is kept of it.

    bound: of scores and maxima; most: the largest sum; outputs: the bound of the outputs. labels: `queries`, `maximum`,
    `sum` and `output`, what stands above the columns; `none`, what stands where nothing is kept yet; `kind` and `keys`,
    as of every figure.
    """

    id: str
    title: str
    note: str
    rows: Sequence[str]
    columns: Sequence[str]
    scores: np.ndarray
    tile: tuple[int, int, int, int]
    kept: Sequence[Kept | None]
    bound: float
    most: float
    outputs: float
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        features = next((len(one.output) for one in self.kept if one), 1)
        output = np.stack([one.output if one else np.zeros(features) for one in self.kept])
        drawn = {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "scores": shades(self.scores, self.bound),
            "tile": list(self.tile),
            "maximum": [None if one is None else float(f"{one.maximum / self.bound:.4g}") for one in self.kept],
            "sum": [None if one is None else float(f"{one.sum / self.most:.4g}") for one in self.kept],
            "features": features,
            "output": shades(output, self.outputs),
        }
        written = [list(one.written) if one else [self.labels["none"]] * 2 for one in self.kept]
        return sent(self.id, self.title, "", self.note, "running", drawn) | {
            "labels": dict(self.labels) | {"written": written}
        }
