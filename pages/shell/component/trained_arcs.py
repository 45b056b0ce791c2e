"""A sentence in a trained model as data: what some of its heads take for one word, and what comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask, Column
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class TrainedArcs:
    """A figure: words, and arcs from one of them, focus (from 0), to those that it takes from.

    asks: what each head takes, of which head (from 0) is the one that is opened; columns: of that head, one a word,
    with no score; lines: what stands beside the shares and at their end; heads: what each head is called; next: the
    word that is expected after the sentence, and how sure of it the model is, None of a model that expects none;
    sets: for each token, the settings that a click on it gives; own: as of `Arcs`; is_off: whether the opened head is
    switched off: it looks, and adds nothing.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    focus: int
    asks: Sequence[Ask]
    head: int
    heads: Sequence[str]
    columns: Sequence[Column]
    lines: Mapping[str, str]
    next: tuple[str, str] | None
    sets: Sequence[Mapping[str, str]]
    own: Mapping[str, object] | None = None
    is_off: bool = False

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        asks = [one.sent() for one in self.asks]
        drawn = {
            "tokens": list(self.tokens),
            "focus": self.focus,
            "weights": asks[self.head]["weights"],
            "head": self.head,
            "asks": asks,
            "answer": asks[self.head]["answer"],
            "columns": [[None, each.share, each.written, False] for each in self.columns],
            "next": None if self.next is None else list(self.next),
            "sets": list(self.sets),
            "is_off": self.is_off,
        }
        names = [one.name for one in self.asks]
        labels = {"lines": dict(self.lines), "names": names, "heads": list(self.heads), "own": self.own}
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {"labels": labels}
