"""A sentence with arcs as data: one word, and how much it takes from each word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Arcs:
    """A figure: the sentence as words, and above it arcs from one of them, focus (from 0), to those that it takes from.

    weights: of the focus on each token, the widths of the arcs; note: the summary, made from what is shown; sets: for
    each token, the settings that a click on it gives; struck: the weights that dropout took away, if there are any.
    """

    id: str
    title: str
    tokens: Sequence[str]
    focus: int
    weights: Sequence[float]
    note: str
    sets: Sequence[Mapping[str, str]] = ()
    struck: Sequence[float] = ()

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        weights, struck = ([float(f"{weight:.4g}") for weight in row] for row in (self.weights, self.struck))
        drawn = {"tokens": list(self.tokens), "focus": self.focus, "weights": weights, "sets": list(self.sets)}
        if struck:
            drawn["struck"] = struck
        return sent(self.id, self.title, "", self.note, "arcs", drawn)
