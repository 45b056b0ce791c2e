"""Quantities that grow with each word as data: a bar for each, drawn by browser/balance.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Bar:
    """name: that of its column; said: the present amount in words; amounts: by word; is_price: paid, not gained."""

    name: str
    said: str
    amounts: Sequence[int]
    is_price: bool


@dataclass(frozen=True)
class Balance:
    """Bars for the amounts at one word. at: the word (from 0), on a scale that ends with the last word and has a mark
    for each; labels: `word`, a column, and `kind` and `keys`, as in every figure."""

    id: str
    title: str
    note: str
    words: Sequence[str]
    at: int
    bars: Sequence[Bar]
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "words": list(self.words),
            "at": self.at,
            "amounts": [list(bar.amounts) for bar in self.bars],
            "prices": [bar.is_price for bar in self.bars],
        }
        words = {"names": [bar.name for bar in self.bars], "said": [bar.said for bar in self.bars]}
        return sent(self.id, self.title, "", self.note, "balance", drawn) | {"labels": dict(self.labels) | words}
