"""One row of weights under several remedies, as data: drawn by browser/remedies.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent

# The largest slope of a weight, at one half.
STEEPEST = 0.25


@dataclass(frozen=True)
class Remedy:
    """name: what is done to the scores, and why: what it does to them, in plain words; colour: its place in the palette
    of the theme, or `INK`, as in all figures of the page; weights: of each word; nowhere: the share that no word gets,
    None where a row sums to one by itself; state: what has become of the row, `holds`, `gives` or `flat`, "" where
    nothing is judged; verdict: the same in words; reach: from which score to which, in words; slope: the gradient
    that is left, and sloped: the same as text, "" where nothing is judged."""

    name: str
    why: str
    colour: int
    weights: Sequence[float]
    nowhere: float | None = None
    state: str = ""
    verdict: str = ""
    reach: str = ""
    slope: float = 0.0
    sloped: str = ""


@dataclass(frozen=True)
class Remedies:
    """A figure: a column a remedy, with the weights of one row as bars over its words, and what has become of it.

    query: how long the query is, as a multiple, and the largest multiple; None for no arrow as long as the query.
    labels: `remedy`, `verdict`, `scores`, `slope`, `most` and `nowhere` of the table and of columns; `query` at the
    arrow; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    remedies: Sequence[Remedy]
    labels: Mapping[str, str]
    query: tuple[float, float] | None = None

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "query": self.query,
            "colours": [each.colour for each in self.remedies],
            "weights": [[short(one) for one in each.weights] for each in self.remedies],
            "nowhere": [None if each.nowhere is None else short(each.nowhere) for each in self.remedies],
            "states": [each.state for each in self.remedies],
            "slopes": [short(each.slope / STEEPEST) for each in self.remedies],
        }
        words = dict(self.labels) | {
            "names": [each.name for each in self.remedies],
            "whys": [each.why for each in self.remedies],
            "verdicts": [each.verdict for each in self.remedies],
            "reaches": [each.reach for each in self.remedies],
            "slopes": [each.sloped for each in self.remedies],
        }
        return sent(self.id, self.title, "", self.note, "remedies", drawn) | {"labels": words}


def short(share: float) -> float:
    return float(f"{share:.4g}")
