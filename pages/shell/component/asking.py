"""The heads of a layer as data: for one word, a line of shares a head, with the question that the head answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Asking:
    """A figure: asks, one a head, of which head (from 0) is shown; said: what is said of each, tokens: the words along
    the shares; sets: for each head, the settings that a click on it gives; line: the word for a head."""

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
