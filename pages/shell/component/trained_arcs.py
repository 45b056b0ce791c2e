"""A sentence in a trained model as data: what some of its heads take for one word, and what comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask, Column
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Chain:
    """What another head takes for the word that the opened one finds. of: that word, to: the one that it takes most
    from, both from 0; weights: all that it takes; name: what it is called; is_off: whether it is switched off."""

    of: int
    to: int
    weights: Sequence[float]
    name: str
    is_off: bool = False


@dataclass(frozen=True)
class TrainedArcs:
    """A figure: words, and arcs from one of them, focus (from 0), to those that it takes from.

    asks: what each head takes, of which head (from 0) is the one that is opened; columns: of that head, one a word,
    with no score; lines: what stands beside the shares and at their end, over the arcs as trained, and over columns of
    the table; heads: what each head is called; next: the word that is expected after the sentence, how sure of it the
    model is, and "" or what it expected as trained; None of a model that expects none; sets: for each token, the
    settings that a click on it gives; own: as of `Arcs`; is_off: whether the opened head is switched off: it looks, and
    adds nothing; was: what the opened head took as trained, empty where that is nearly the same; chain: None where no
    other head is shown.
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
