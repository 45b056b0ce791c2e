"""One row of weights under several remedies, as data: drawn by browser/remedies.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Remedy:
    """name: what is done to the scores, and why: what it is for, in plain words; weights: of each word at the chosen
    stretch; nowhere: the share that no word gets, None where a row sums to one by itself; largest: the largest weight
    at each stretch."""

    name: str
    why: str
    weights: Sequence[float]
    nowhere: float | None
    largest: Sequence[float]


@dataclass(frozen=True)
class Remedies:
    """A figure: a line a remedy, with the weights of one row as bars over its words, and its largest weight as a curve
    over the factor by which queries are stretched. The first remedy is none: in the lines of the others it is dashed.

    at: which of the factors is chosen, from 0; factors: as they are written, ticks: those below the curves. labels:
    `remedy`, `largest`, `nowhere` and `factor`, what stands at columns and axes; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    remedies: Sequence[Remedy]
    factors: Sequence[str]
    ticks: Sequence[str]
    at: int
    labels: Mapping[str, str]

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
        }
        words = dict(self.labels) | {
            "names": [each.name for each in self.remedies],
            "whys": [each.why for each in self.remedies],
        }
        return sent(self.id, self.title, "", self.note, "remedies", drawn) | {"labels": words}


def _short(share: float) -> float:
    return float(f"{share:.4g}")
