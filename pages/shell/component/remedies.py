"""One row of weights under several remedies, as data: drawn by browser/remedies.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Remedy:
    """name: what is done to the scores, and why: in plain words; weights: of each word at the chosen stretch; largest:
    the largest weight at each stretch; known: at how many stretches its curve is drawn; what follows is asked."""

    name: str
    why: str
    weights: Sequence[float]
    largest: Sequence[float]
    known: int


@dataclass(frozen=True)
class Remedies:
    """A figure: a line a remedy, with the weights of one row as bars over its words, and its largest weight as a curve
    over the factor by which queries are stretched.

    at: which of the factors is chosen, from 0; factors: as they are written. labels: `remedy`, `largest` and `factor`,
    what stands at columns and axes; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    remedies: Sequence[Remedy]
    factors: Sequence[str]
    at: int
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "factors": list(self.factors),
            "at": self.at,
            "weights": [[_short(one) for one in each.weights] for each in self.remedies],
            "largest": [[_short(one) for one in each.largest] for each in self.remedies],
            "known": [each.known for each in self.remedies],
        }
        words = dict(self.labels) | {
            "names": [each.name for each in self.remedies],
            "whys": [each.why for each in self.remedies],
        }
        return sent(self.id, self.title, "", self.note, "remedies", drawn) | {"labels": words}


def _short(share: float) -> float:
    return float(f"{share:.4g}")
