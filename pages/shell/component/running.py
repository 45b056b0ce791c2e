"""Scores with a tile that wanders, and what is kept of each query, as data: drawn by browser/running.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent
from pages.shell.component.strip import shades

# Rows and columns from 0, ends left out.
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Kept:
    """What is kept of a query: its maximum and its sum so far, and its output so far, which is not divided by the sum
    yet; written: both numbers in words.

    before: the sum before the tile that is shown; left: what is left of it in the sum; corrects: whether it is less, as
    a larger score came; factor: what it was multiplied by, in words, "" where nothing was or the tile is not its own;
    is_raised: whether the maximum comes from the tile that is shown.
    """

    maximum: float
    sum: float
    output: np.ndarray
    written: tuple[str, str]
    before: float
    left: float
    corrects: bool = False
    factor: str = ""
    is_raised: bool = False


@dataclass(frozen=True)
class Followed:
    """What a tile does to the query in a row. why: where the factor comes from, in words, and the same where there is
    little room.

    results: the output by tiles so far, divided by its sum, and that of softmax over the whole row, and written: their
    numbers; reached: in words, how many keys the first of them is of, and at the end whether both are the same, which
    agrees says, too."""

    row: int
    why: tuple[str, str]
    results: tuple[np.ndarray, np.ndarray]
    written: Sequence[str]
    reached: str
    agrees: bool


@dataclass(frozen=True)
class Running:
    """A figure: scores (queries, keys), NaN where a mask hides, with a tile, and beside each row what is kept of it,
    None before its first tile, and where no key was allowed.

    size: of a whole tile; gone: the last tile before this one that was computed; skipped: what no tile is computed of.
    bound: of scores; maxima: from the lowest maximum to the highest, with 0; most: the largest sum; outputs: the bound
    of the outputs, divided: that of the results. labels: what stands above the columns, in what is gone
    and skipped, beside the results and the colours, and `none`, where nothing is kept yet; `held`, how many scores are
    in memory, and held, which part of all; `kind` and `keys`, as of every figure. number: which tile it is, from 1.
    """

    id: str
    title: str
    note: str
    rows: Sequence[str]
    columns: Sequence[str]
    scores: np.ndarray
    tile: Box
    size: tuple[int, int]
    gone: Box | None
    skipped: Sequence[Box]
    kept: Sequence[Kept | None]
    followed: Followed
    bound: float
    maxima: tuple[float, float]
    most: float
    outputs: float
    divided: float
    labels: Mapping[str, str]
    held: float
    sets: Sequence[Mapping[str, str]]
    number: int

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        features = len(self.followed.results[0])
        output = np.stack([one.output if one else np.zeros(features) for one in self.kept])
        low, high = self.maxima
        drawn = {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "scores": shades(self.scores, self.bound),
            "tile": list(self.tile),
            "size": list(self.size),
            "number": self.number,
            "gone": list(self.gone) if self.gone else None,
            "skipped": [list(box) for box in self.skipped],
            "held": _share(self.held, 1.0),
            "zero": _share(-low, high - low),
            "maximum": [None if one is None else _share(one.maximum - low, high - low) for one in self.kept],
            "sums": [self._of_sums(one) for one in self.kept],
            "corrects": [bool(one and one.corrects) for one in self.kept],
            "raised": [bool(one and one.is_raised) for one in self.kept],
            "features": features,
            "output": shades(output, self.outputs),
            "followed": {
                "row": self.followed.row,
                "results": [shades(one[None], self.divided) for one in self.followed.results],
                "agrees": self.followed.agrees,
            },
            "sets": [dict(each) for each in self.sets],
        }
        written = [list(one.written) if one else [self.labels["none"]] * 2 for one in self.kept]
        return sent(self.id, self.title, "", self.note, "running", drawn) | {
            "labels": dict(self.labels)
            | {
                "written": written,
                "factors": [one.factor if one else "" for one in self.kept],
                "results": list(self.followed.written),
                "why": list(self.followed.why),
                "reached": self.followed.reached,
            }
        }

    def _of_sums(self, one: Kept | None) -> list[float]:
        """The sum, what is left in it of the one before, and that one, as shares of the largest."""
        return [_share(part, self.most) for part in ((one.sum, one.left, one.before) if one else (0.0, 0.0, 0.0))]


def _share(number: float, bound: float) -> float:
    return float(f"{number / bound:.4g}")
