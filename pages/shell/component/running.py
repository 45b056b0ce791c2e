"""Scores beside a tile of them, and the output of either way, as data: drawn by browser/running.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.followed import Followed
from pages.shell.component.payload import sent
from pages.shell.component.strip import shades

# Rows and columns from 0, without the ends.
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Kept:
    """The numbers of a query after the tiles so far. output: divided by the sum so far; written: its largest score, the
    sum and the output in words; factor: the multiplier of the numbers before, in words, "" if there were none or the
    tile is not the query's own; agrees: for a query without further keys, whether its output is that of the record."""

    output: np.ndarray
    written: tuple[str, str, str]
    factor: str = ""
    agrees: bool | None = None


@dataclass(frozen=True)
class Running:
    """Scores (queries, keys), NaN where a mask hides, once whole and once with a tile alone, and the outputs beside
    both.

    usual (queries, features): the outputs of the usual way; kept: those of the tiles, None before the first; size: that
    of a whole tile; skipped: the areas that no tile covers. laid: the final outputs of the tiles, laid over the usual
    ones; None, and none sent, while that is a question. bound: the end of the scale of scores; outputs: that of
    outputs. labels: the texts above both, at past and skipped tiles, and beside a finished row; of each way how much is
    `held`; `long`, the scores' share of a long text; `laid`, the difference of both outputs; `fast` and `slow` memory;
    `kind` and `keys`, as in every figure; `described`, for screen readers.
    """

    id: str
    title: str
    note: str
    rows: Sequence[str]
    columns: Sequence[str]
    scores: np.ndarray
    tile: Box
    size: tuple[int, int]
    skipped: Sequence[Box]
    usual: np.ndarray
    written: Sequence[str]
    kept: Sequence[Kept | None]
    laid: np.ndarray | None
    followed: Followed
    bound: float
    outputs: float
    labels: Mapping[str, Any]
    held: tuple[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        nothing = np.full(self.usual.shape[1], np.nan)
        drawn = {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "scores": shades(self.scores, self.bound),
            "tile": list(self.tile),
            "size": list(self.size),
            "skipped": [list(box) for box in self.skipped],
            "features": self.usual.shape[1],
            "usual": None if self.laid is None else shades(self.usual, self.outputs),
            "output": shades(np.stack([one.output if one else nothing for one in self.kept]), self.outputs),
            "laid": None if self.laid is None else shades(self.laid, self.outputs),
            "agrees": [one.agrees if one else None for one in self.kept],
            "followed": self.followed.sent(),
        }
        none = self.labels["none"]
        return sent(self.id, self.title, "", self.note, "running", drawn) | {
            "labels": dict(self.labels)
            | {
                "held": list(self.held),
                "written": [list(one.written) if one else [none] * 3 for one in self.kept],
                "usually": [none] * len(self.written) if self.laid is None else list(self.written),
                "factors": [one.factor if one else "" for one in self.kept],
            }
            | self.followed.words()
        }
