"""The scores of one row under several remedies, and the gradient that is left of it, as data: drawn by
browser/remedies_scores.js."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent
from pages.shell.component.remedies import STEEPEST, short

# Scores whose lines make the scale of scores known.
_TENS = (10, 100, 1000)


@dataclass(frozen=True)
class Scored:
    """name, why and colour: as of the column of weights; scores: what softmax reads, and written: the same as text;
    cap: what no score goes beyond, if any; slope: the gradient that is left, and sloped: the same as text, "" where
    nothing is judged."""

    name: str
    why: str
    colour: int
    scores: Sequence[float]
    written: Sequence[str]
    cap: float | None
    slope: float
    sloped: str


@dataclass(frozen=True)
class Scores:
    """A figure: a column a remedy, with the scores of one row as bars over its words.

    most: the largest score at any length, where the one scale of all scores ends: the logarithm of 1 and the score.
    labels: `remedy`, `scores` and `slope` of the table and of columns, `cap`; `kind` and `keys`.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    columns: Sequence[Scored]
    labels: Mapping[str, str]
    most: float

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "colours": [each.colour for each in self.columns],
            "scores": [[self._high(one) for one in each.scores] for each in self.columns],
            "caps": [None if each.cap is None else self._high(each.cap) for each in self.columns],
            "tens": [[str(ten), self._high(ten)] for ten in _TENS if ten < self.most],
            "slopes": [short(each.slope / STEEPEST) for each in self.columns],
        }
        words = dict(self.labels) | {
            "names": [each.name for each in self.columns],
            "whys": [each.why for each in self.columns],
            "slopes": [each.sloped for each in self.columns],
            "written": [list(each.written) for each in self.columns],
        }
        return sent(self.id, self.title, "", self.note, "scored", drawn) | {"labels": words}

    def _high(self, score: float) -> float:
        """How far up or down the bar of a score goes."""
        return short(math.copysign(math.log1p(abs(score)) / math.log1p(self.most), score))
