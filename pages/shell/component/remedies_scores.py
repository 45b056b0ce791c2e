"""The scores of one row under several remedies, and its remaining gradient, as data: drawn by
browser/remedies_scores.js."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent
from pages.shell.component.remedies import STEEPEST, short

# Scores with a line, which show the scale.
_TENS = (10, 100, 1000)


@dataclass(frozen=True)
class Scored:
    """A column of scores. name, why and colour: as in the column of weights; scores: the input of softmax; written: the
    same as text; cap: the limit of the scores, if any; slope: the remaining gradient; sloped: the same as text, "" if
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
    """One column for each remedy, with the scores of one row as bars over its words.

    most: the largest score at any length, where the common scale, the logarithm of 1 + score, ends. labels: `remedy`,
    `scores` and `slope` of the table and of columns, `cap`; `kind` and `keys`.
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
        """The signed length of a score's bar."""
        return short(math.copysign(math.log1p(abs(score)) / math.log1p(self.most), score))
