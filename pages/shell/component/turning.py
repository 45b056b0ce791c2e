"""Pairs of features that turn, as data, and a score over the distance: drawn by browser/turning.js."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attention.analysis.moved_positions import Turned
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Turning:
    """A circle for each pair of features with the arrows of a query and a key, and the score at each distance.

    shown: the pairs with a large circle, from 0; below: the text below each of them; short: the same where there is
    little room; adds: its part of the score, in words; distance: the present one; curve: the scores from the least
    distance to the largest, -distance to distance; most: the end of their axis. Without a curve all pairs are large,
    and nothing is added up. labels: `query`, `key` and `pair`, `adds`, `sum`, `score`, `scores` and `distance`, at
    arrows, numbers and axes; `parts` above the circles, `rest` and `rest_adds` below the small ones, `total` after
    them; `still`, at the constant part of the score; `kind` and `keys`, as in every figure.
    """

    id: str
    title: str
    note: str
    turned: Turned
    shown: Sequence[int]
    below: Sequence[str]
    short: Sequence[str]
    adds: Sequence[str]
    distance: int
    curve: Sequence[float]
    most: float
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser: angles in degrees, lengths as shares of the longest."""
        made = self.turned
        longest = max(float(made.query_length.max()), float(made.key_length.max()))
        arrows = {
            "query": (made.query, made.query_length),
            "key": (made.key, made.key_length),
        }
        drawn: dict[str, Any] = {
            name: [
                [round(math.degrees(angle), 2), round(length / longest, 4)]
                for angle, length in zip(angles.tolist(), lengths.tolist(), strict=True)
            ]
            for name, (angles, lengths) in arrows.items()
        }
        drawn |= {
            "shown": list(self.shown),
            "adds": list(self.adds),
            "distance": self.distance,
            "curve": [float(f"{score:.5g}") for score in self.curve],
            "most": float(f"{self.most:.5g}"),
            "turns": made.turns,
            "still": float(f"{made.still:.5g}"),
        }
        return sent(self.id, self.title, "", self.note, "turning", drawn) | {
            "labels": dict(self.labels) | {"below": list(self.below), "short": list(self.short)}
        }
