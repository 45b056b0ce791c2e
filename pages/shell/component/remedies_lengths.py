"""The largest weight of a row under each remedy as its query grows longer, as data: drawn by
browser/remedies_lengths.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent
from pages.shell.component.remedies import short


@dataclass(frozen=True)
class Line:
    """name: of a remedy, short; colour: as of its column; largest: the largest weight at each length."""

    name: str
    colour: int
    largest: Sequence[float]


@dataclass(frozen=True)
class Ring:
    """Where the line of the soft cap may end, to be guessed: as a largest weight, height; in words, said; state:
    `guessed`, then `right` or `wrong`, "" where it is not chosen; and what a click on it sets."""

    height: float
    said: str
    state: str
    sets: Mapping[str, str]


@dataclass(frozen=True)
class Lengths:
    """A figure under a slider, whose track is its x axis: lines as far as the slider has come, since what becomes of
    the row is found by going there.

    factors: as the stops of the slider are written; ticks: those that are written here; at: which one is chosen, from
    0; bounds: between which of the largest weights others keep a share. labels: `length`, `most`, `over` and `under`,
    the names of what lies beyond the bounds, `trained`, at 1, `asks`, `ends` and `guessed` at the rings, `kind` and
    `keys`. rings: what is guessed of the line `of` at the stop `end`.
    """

    id: str
    title: str
    note: str
    lines: Sequence[Line]
    labels: Mapping[str, str]
    factors: Sequence[str]
    ticks: Sequence[str]
    at: int
    bounds: Sequence[float]
    rings: Sequence[Ring] = ()
    end: int = 0
    of: int = 0

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "factors": [float(factor) for factor in self.factors],
            "ticks": list(self.ticks),
            "at": self.at,
            "colours": [line.colour for line in self.lines],
            "largest": [[short(one) for one in line.largest[: self.at + 1]] for line in self.lines],
            "bounds": [short(one) for one in self.bounds],
            "rings": [
                {"height": short(one.height), "said": one.said, "state": one.state, "sets": dict(one.sets)}
                for one in self.rings
            ],
            "end": self.end,
            "of": self.of,
        }
        words = dict(self.labels) | {"names": [line.name for line in self.lines], "factors": list(self.factors)}
        return sent(self.id, self.title, "", self.note, "lengths", drawn) | {"labels": words}
