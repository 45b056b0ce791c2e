"""Vectors in the plane as data: tokens with their weights, a query that can be dragged, and the output."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Vectors:
    """A figure with one query in it.

    tokens, points, weights: one name, place (x, y) and weight each; the i-th has the i-th colour of the theme.
    query: its angle in degrees and its length; steps: the smallest change of each; longest: the most of the second.
    output: its place. note: the summary, made from what is shown; text: its explanation; twice: the weights of the
    query at twice its length, where they answer a question, else none. steps_of: of each token what its weight is made
    of, in words, from the score on; named: what these steps are, and how each is computed; key_of: what the tokens
    stand below; total: their sum below the last, in words; softmax: what they are together.
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
