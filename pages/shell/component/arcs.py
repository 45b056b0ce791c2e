"""A sentence with arcs as data: the weights of the heads for one word, and the computation behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pages.shell.component.payload import sent
from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Ask:
    """The weights of one head for the query. head: its number, from 1; name: the question that it answers for this
    query, in words, "" for none; answer: the word that answers it, from 0, -1 for none; said: name and answer in words,
    if the answer is not the word itself."""

    head: int
    weights: Sequence[float]
    name: str = ""
    answer: int = -1
    said: str = ""

    def sent(self) -> dict[str, Any]:
        """The data that are the same in all languages."""
        return {"head": self.head, "weights": _four(self.weights), "answer": self.answer}


@dataclass(frozen=True)
class Column:
    """The numbers below a word: its score and its weight, each None if the mask hides it, and the weight as text;
    is_dropped: whether dropout has removed the weight."""

    score: float | None
    share: float | None
    written: str
    is_dropped: bool = False


@dataclass(frozen=True)
class Arcs:
    """The words of a sentence, with arcs from one of them, the query, to the words that it attends to.

    focus: the query (from 0); asks: the weights of each head; head: the shown one (from 0); answer: the word (from 0)
    that is looked at, -1 for none; columns: numbers of the shown head below each word; values: those of the shown head
    (words, features); taken: their weighted sum; bound: the end of the scale of both; lines: the names of the lines of
    numbers; note: the summary; sets: for each token, the settings of a click; pairs: those of a click on its column;
    own: the texts of the field that types over the sentence, None without it; ghost: the weights of the shown head of
    the kept screen, if there is one; offered: other queries to choose, from 0.
    """

    id: str
    title: str
    tokens: Sequence[str]
    focus: int
    asks: Sequence[Ask]
    head: int
    answer: int
    columns: Sequence[Column]
    values: Any
    taken: Any
    bound: float
    note: str
    lines: Mapping[str, str] = field(default_factory=dict)
    sets: Sequence[Mapping[str, str]] = ()
    pairs: Sequence[Mapping[str, str]] = ()
    own: Mapping[str, object] | None = None
    ghost: Sequence[Ask] = ()
    offered: Sequence[int] = ()

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "focus": self.focus,
            "weights": _four(self.asks[self.head].weights),
            "head": self.head,
            "asks": [one.sent() for one in self.asks],
            "answer": self.answer,
            "columns": [[_one(each.score), _one(each.share), each.written, each.is_dropped] for each in self.columns],
            "features": self.values.shape[1],
            "values": shades(self.values, self.bound),
            "taken": shades(self.taken, self.bound),
            "sets": [*self.sets, *self.pairs],
            "ghost": [one.sent() for one in self.ghost],
            "offered": list(self.offered),
        }
        labels = {"lines": dict(self.lines), "names": [one.said or one.name for one in self.asks], "own": self.own}
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {"labels": labels}


def _four(numbers: Sequence[float]) -> list[float]:
    return [float(f"{number:.4g}") for number in numbers]


def _one(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.4g}")
