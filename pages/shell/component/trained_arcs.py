"""A sentence in a trained model as data: the weights of some of its heads for one word, and the predicted next word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask, Column
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Chain:
    """The weights of another head for the word that the opened head finds. of: that word, to: the word with its largest
    weight, both from 0; weights: all of them; name: that of the head; is_off: whether it is switched off."""

    of: int
    to: int
    weights: Sequence[float]
    name: str
    is_off: bool = False


@dataclass(frozen=True)
class TrainedArcs:
    """Words, and arcs from one of them, the query, to the words that it attends to.

    focus: the query (from 0); asks: the weights of each head; head: the opened one (from 0); columns: its numbers below
    each word, without scores; lines: the texts beside the weights and at their end, over the arcs as trained, and over
    columns of the table; heads: the names of the heads; next: the predicted next word, its probability, and "" or the
    prediction as trained; None for a model without predictions; sets: for each token, the settings of a click; own: as
    in `Arcs`; is_off: whether the opened head is off: it attends, and adds nothing; was: its weights as trained, empty
    if they are nearly the same; chain: None if no other head is shown.
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
    next: tuple[str, str, str] | None
    sets: Sequence[Mapping[str, str]]
    own: Mapping[str, object] | None = None
    is_off: bool = False
    was: Sequence[float] = ()
    chain: Chain | None = None

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
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
            "was": _four(self.was),
            "chain": None if self.chain is None else _chain(self.chain),
        }
        names = [one.name for one in self.asks]
        chain = self.chain.name if self.chain else ""
        labels = {"lines": dict(self.lines), "names": names, "heads": list(self.heads), "own": self.own, "chain": chain}
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {"labels": labels}


def _chain(one: Chain) -> dict[str, Any]:
    return {"of": one.of, "to": one.to, "weights": _four(one.weights), "is_off": one.is_off}


def _four(numbers: Sequence[float]) -> list[float]:
    return [float(f"{number:.4g}") for number in numbers]
