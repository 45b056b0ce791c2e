"""One row of weights under several remedies, as data: drawn by browser/remedies.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent

# The largest slope of softmax, at a weight of one half.
STEEPEST = 0.25


@dataclass(frozen=True)
class Remedy:
    """A remedy, and its effect on the row. name: the operation on the scores; why: its effect, in plain words; colour:
    its place in the palette of the theme, or `INK`, as in all figures of the page; weights: one for each word; nowhere:
    the share that no word gets, None if a row sums to one by itself; state: `holds`, `gives` or `flat`, "" if nothing
    is judged; verdict: the same in words; reach: the range of scores, in words; slope: the remaining gradient; sloped:
    the same as text, "" if nothing is judged."""

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
    """One column for each remedy, with the weights of one row as bars over its words, and the state of the row.

    query: the length of the query as a multiple, and the largest multiple; None for no arrow of that length. labels:
    `remedy`, `verdict`, `scores`, `slope`, `most` and `nowhere` of the table and of columns; `query` at the arrow;
    `kind` and `keys`, as in every figure.
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
