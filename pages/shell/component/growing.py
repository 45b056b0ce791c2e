"""A sentence that is written word by word as data: what the newest word takes, and what is computed for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Growing:
    """A figure: a sentence of which the words up to focus (from 0), the newest, are there.

    asks: what each head takes for the newest; names: what each head is called; sets: for each token, the settings that
    a click on it gives; totals: for `cached` and `again`, the two ways, how many keys and values are computed up to
    each word; labels: `cached` and `again`, `totals_said`, what is counted, `totals_cached` and `totals_again`, their
    columns, `strip`, what a strip is, `reads`, what the newest word does with those kept, and `word`, a column.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    focus: int
    asks: Sequence[Ask]
    names: Sequence[str]
    sets: Sequence[Mapping[str, str]]
    totals: Mapping[str, Sequence[int]]
    labels: Mapping[str, Any]
    columns: Sequence[str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
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
            "totals": {way: list(numbers) for way, numbers in self.totals.items()},
        }
        labels: dict[str, Any] = {**self.labels, "names": list(self.names), "short": list(self.names)}
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {
            "labels": labels | {"columns": list(self.columns)}
        }
