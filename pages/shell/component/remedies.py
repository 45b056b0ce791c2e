"""One row of weights under several remedies, as data: drawn by browser/remedies.js."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent

# Scores whose lines make the scale of scores known.
_TENS = (10, 100, 1000)
# The largest slope of a weight, at one half.
STEEPEST = 0.25


@dataclass(frozen=True)
class Remedy:
    """name: what is done to the scores, and why: what it is for, in plain words; weights: of each word at the chosen
    stretch; nowhere: the share that no word gets, None where a row sums to one by itself; largest: the largest weight
    at each stretch; states: what has become of the row at each, `holds`, `gives` or `flat`, none where nothing is
    judged; verdict: the same in words at the chosen one; slope: the gradient that is left there, and
    sloped: the same as text; scores: what softmax reads, and written: the same as text, both empty where they are not
    shown; cap: what no score goes beyond, if any."""

    name: str
    why: str
    weights: Sequence[float]
    nowhere: float | None
    largest: Sequence[float]
    states: Sequence[str] = ()
    verdict: str = ""
    slope: float = 0.0
    sloped: str = ""
    scores: Sequence[float] = ()
    written: Sequence[str] = ()
    cap: float | None = None


@dataclass(frozen=True)
class Remedies:
    """A figure: a column a remedy, with the scores and the weights of one row as bars over its words, and below them a
    lane a remedy, with the largest weight at each factor by which queries are stretched, up to the chosen one: what
    becomes of the row is found by going there. The first remedy is what the others are compared with: in their columns
    it is dashed.

    at: which of the factors is chosen, from 0; factors: as they are written, ticks: those below the lanes; without
    factors there are no lanes, and no arrow as long as the query. bounds: the largest weights at which a verdict
    changes, lines in each lane; most: the largest score at any of the factors, where the one scale of all scores ends:
    the logarithm of 1 and the score. labels: `remedy`, `verdict`, `slope`, `slope_told`, `most`, `nowhere`, `largest`,
    `under` and `over`, `untamed`, `scores` and `shares`, of the first column, and `cap`, what stands at columns and
    lanes, `query` and `trained` at the arrow; `scores_told`, what they are called in the table; `kind` and `keys`, as
    of every figure.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    remedies: Sequence[Remedy]
    labels: Mapping[str, str]
    factors: Sequence[str] = ()
    ticks: Sequence[str] = ()
    at: int = 0
    bounds: Sequence[float] = ()
    most: float = 1.0

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "factors": [float(factor) for factor in self.factors],
            "ticks": list(self.ticks),
            "at": self.at,
            "weights": [[_short(one) for one in each.weights] for each in self.remedies],
            "nowhere": [None if each.nowhere is None else _short(each.nowhere) for each in self.remedies],
            "largest": [[_short(one) for one in each.largest] for each in self.remedies],
            "states": [list(each.states) for each in self.remedies],
            "slopes": [_short(each.slope / STEEPEST) for each in self.remedies],
            "bounds": [_short(one) for one in self.bounds],
            "scores": [[self._high(one) for one in each.scores] for each in self.remedies],
            "caps": [None if each.cap is None else self._high(each.cap) for each in self.remedies],
            "tens": [[str(ten), self._high(ten)] for ten in _TENS if ten < self.most],
        }
        words = dict(self.labels) | {
            "names": [each.name for each in self.remedies],
            "whys": [each.why for each in self.remedies],
            "verdicts": [each.verdict for each in self.remedies],
            "slopes": [each.sloped for each in self.remedies],
            "written": [list(each.written) for each in self.remedies],
        }
        return sent(self.id, self.title, "", self.note, "remedies", drawn) | {"labels": words}

    def _high(self, score: float) -> float:
        """How far up or down the bar of a score goes."""
        return _short(math.copysign(math.log1p(abs(score)) / math.log1p(self.most), score))


def _short(share: float) -> float:
    return float(f"{share:.4g}")
