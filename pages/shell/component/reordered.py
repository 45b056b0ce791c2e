"""A sentence and its words in another order as data: drawn and dragged by browser/reordered.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent
from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Taken:
    """The weights of one word, by, in the lines `written` and `moved`. sets: for each word, the settings of a click,
    which selects it."""

    by: int
    rows: Mapping[str, Sequence[float]]
    sets: Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Reordered:
    """Words in their written order and in another order, each with its output.

    order: for each place in the other order, its word (from 0); written, moved (words, features): the outputs in both
    orders; bound: the end of the scale of both; apart: whether a word's two outputs are the same, and by how much they
    differ, in words; is_moved: whether they differ by more than rounding; changed: their difference, as a part of the
    largest one; parts: the size of the difference, in a word; taken: the weights of the selected word in both orders.
    labels: `written`, `look`, `moved`, `drag`, `takes`, `mean`, `of_written`, `of_moved`, `before`, `apart`, `changed`,
    `same`, `other`, `kind`, `keys`, and `place`, with holes `place` and `of`.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    order: Sequence[int]
    written: np.ndarray
    moved: np.ndarray
    bound: float
    apart: Sequence[str]
    is_moved: Sequence[bool]
    changed: Sequence[float]
    parts: Sequence[str]
    taken: Taken
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "order": list(self.order),
            "features": self.written.shape[1],
            "written": shades(self.written, self.bound),
            "moved": shades(self.moved, self.bound),
            "isMoved": list(self.is_moved),
            "changed": [float(f"{one:.4g}") for one in self.changed],
            "looked": self.taken.by,
            "takes": {line: [float(f"{one:.4g}") for one in row] for line, row in self.taken.rows.items()},
            "sets": [dict(one) for one in self.taken.sets],
        }
        shares = {line: [f"{one:.0%}" for one in row] for line, row in self.taken.rows.items()}
        labels = dict(self.labels) | {"differences": list(self.apart), "parts": list(self.parts), "shares": shares}
        return sent(self.id, self.title, "", self.note, "reordered", drawn) | {"labels": labels}
