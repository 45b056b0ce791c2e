"""The largest weight of a row under each remedy as its query grows longer, as data: drawn by
browser/remedies_lengths.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent
from pages.shell.component.remedies import short


@dataclass(frozen=True)
class Line:
    """name: a short name of the remedy; colour: that of its column; largest: the largest weight at each length."""

    name: str
    colour: int
    largest: Sequence[float]


@dataclass(frozen=True)
class Ring:
    """A possible end of the line of the soft cap, as a guess. height: that end, as a largest weight; said: the same in
    words; state: `guessed`, then `right` or `wrong`, "" if it is not chosen; sets: the settings of a click."""

    height: float
    said: str
    state: str
    sets: Mapping[str, str]


@dataclass(frozen=True)
class Lengths:
    """Lines under a slider, whose track is their x axis. They are drawn as far as the slider has come, so that a
    visitor finds the fate of the row by going there.

    factors: the texts of the slider's stops; ticks: those that are written here; at: the chosen stop, from 0; bounds:
    the largest weights between which others keep a share. labels: `length`, `most`, `over` and `under`, the names of
    the areas beyond the bounds, `trained`, at 1, `asks`, `ends` and `guessed` at the rings, `kind` and `keys`. rings:
    the possible ends of the line `of` at the stop `end`.
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
