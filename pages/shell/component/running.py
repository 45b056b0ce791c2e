"""Scores beside a tile of them, and the output that either way leads to, as data: drawn by browser/running.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.followed import Followed
from pages.shell.component.payload import sent
from pages.shell.component.strip import shades

# Rows and columns from 0, ends left out.
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Kept:
    """What the tiles so far have left of a query: its output, divided by the sum so far; written: its largest score,
    the sum and the output in words; factor: what was kept before was multiplied by, in words, "" where nothing was or
    the tile is not its own; agrees: of a query without further keys, whether its output is that of the record."""

    output: np.ndarray
    written: tuple[str, str, str]
    factor: str = ""
    agrees: bool | None = None


@dataclass(frozen=True)
class Running:
    """A figure: scores (queries, keys), NaN where a mask hides, once whole and once with a tile alone, and beside both
    the outputs: those of the usual way (queries, features), and what is kept, None where there is nothing yet.

    size: of a whole tile; skipped: what no tile is computed of. laid: what the tiles leave in the end, laid over the
    outputs of the usual way, None as long as that is asked: then those are not sent. bound: of scores; outputs: the
    largest number of outputs. labels: what stands above both, at what is gone and skipped, and beside a row that is
    finished; of each way how much is `held`; `long`, what scores take of a long text; `laid`, how far both outputs are
    apart; `fast` and `slow` memory; `kind` and `keys`, as of every figure; `described`, for who does not see it.
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
