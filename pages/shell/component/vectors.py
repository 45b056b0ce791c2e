"""Vectors in the plane as data: tokens with their weights, a query that can be dragged, and the output."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Vectors:
    """Vectors in the plane with one query.

    tokens, points, weights: name, place (x, y) and weight of each; the i-th has the i-th colour of the theme. query:
    its angle in degrees and its length; steps: the smallest change of each; longest: the largest length. output: its
    place. note: the summary, made from the data; text: its explanation; twice: the weights of the query at twice its
    length, if they answer a question. steps_of: for each token the steps to its weight in words, from the score on;
    named: the names of these steps, and how each is computed; key_of: the head above the tokens; total: the sum below
    the last step, in words; softmax: the name of the steps together.
    """

    id: str
    title: str
    tokens: Sequence[str]
    points: Sequence[Sequence[float]]
    weights: Sequence[float]
    query: tuple[float, float]
    output: Sequence[float]
    steps: tuple[float, float]
    longest: float
    note: str
    text: str = ""
    twice: Sequence[float] = ()
    steps_of: Sequence[Sequence[str]] = ()
    named: Sequence[tuple[str, str]] = ()
    key_of: str = ""
    total: str = ""
    softmax: str = ""

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "points": [_short(point) for point in self.points],
            "weights": _short(self.weights),
            "query": list(self.query),
            "output": _short(self.output),
            "steps": list(self.steps),
            "longest": self.longest,
            "twice": _short(self.twice),
        }
        steps = {"steps": [list(each) for each in self.steps_of], "named": [list(each) for each in self.named]}
        words = {"key_of": self.key_of, "total": self.total, "softmax": self.softmax}
        return sent(self.id, self.title, self.text, self.note, "vectors", drawn) | {"labels": steps | words}


def _short(numbers: Sequence[float]) -> list[float]:
    return [float(f"{number:.6g}") for number in numbers]
