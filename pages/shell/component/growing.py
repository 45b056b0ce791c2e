"""A sentence that is written word by word as data: keys and values, computed once with a cache, and repeatedly
without."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent
from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Growing:
    """A sentence whose words up to the newest one are written.

    focus: the newest word (from 0); asks: its weights, by head; names: those of the heads; sets: for each token, the
    settings of a click; cached: the keys (words, d_k) and values (words, d_v) in the cache; numbers: both as text;
    again: for each step so far, the keys and values that it computes without a cache; bound: the end of the scale of
    both; totals: for `cached` and `again`, the two ways, how many keys and values are computed up to each word; labels:
    `cached` and `again`; `total`, the counted quantity; `totals_cached` and `totals_again`, their columns; `stored`,
    `now`, `before` and `to_come`, the meanings of the frames; `weights`, the marks on strips that are read; `strip`,
    the content of one; `below` and `above`, the signs of the colours; `word`, `key` and `value`, columns.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    focus: int
    asks: Sequence[Ask]
    names: Sequence[str]
    sets: Sequence[Mapping[str, str]]
    cached: tuple[Tensor, Tensor]
    numbers: tuple[Sequence[str], Sequence[str]]
    again: Sequence[tuple[Tensor, Tensor]]
    bound: float
    totals: Mapping[str, Sequence[int]]
    labels: Mapping[str, Any]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        asks = [one.sent() for one in self.asks]
        drawn = {
            "tokens": list(self.tokens),
            "focus": self.focus,
            "written": self.focus + 1,
            "head": 0,
            "asks": asks,
            "weights": asks[0]["weights"],
            "answer": -1,
            "off": [],
            "columns": [[None, 0, "", False]] * len(self.tokens),
            "sets": list(self.sets),
            "cached": self._shades(self.cached),
            "again": [self._shades(step) for step in self.again],
            "sizes": [one.shape[1] for one in self.cached],
            "numbers": list(self.numbers),
            "totals": {way: list(numbers) for way, numbers in self.totals.items()},
        }
        labels: dict[str, Any] = {**self.labels, "names": list(self.names), "short": list(self.names)}
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {"labels": labels}

    def _shades(self, both: tuple[Tensor, Tensor]) -> list[str]:
        return [shades(one.numpy(), self.bound) for one in both]
