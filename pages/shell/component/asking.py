"""The heads of a layer as data: for a word, one row of weights for each head, with the question that it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Asking:
    """Rows of weights of all heads for one word. asks: the weights, by head; head: the shown one (from 0); said: a text
    for each; tokens: the words along the weights; sets: for each head, the settings of a click; line: the word for a
    head."""

    id: str
    title: str
    text: str
    note: str
    tokens: Sequence[str]
    head: int
    asks: Sequence[Ask]
    said: Sequence[str]
    named: Sequence[str]
    sets: Sequence[Mapping[str, str]]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "head": self.head,
            "asks": [one.sent() for one in self.asks],
            "sets": list(self.sets),
        }
        labels = {"said": list(self.said), "named": list(self.named)}
        return sent(self.id, self.title, self.text, self.note, "asking", drawn) | {"labels": labels}
