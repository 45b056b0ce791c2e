"""A sentence with arcs as data: what the heads take from each word for one word, and how that came about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pages.shell.component.payload import sent
from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Ask:
    """What one head takes from each word for the word that asks. head: its number, from 1; name: the question that it
    answers here, in words, "" for none; answer: the word that answers it, from 0, -1 for none; said: name and answer in
    words, where the word at answer is not what is answered."""

    head: int
    weights: Sequence[float]
    name: str = ""
    answer: int = -1
    said: str = ""

    def sent(self) -> dict[str, Any]:
        """What of it is the same in all languages."""
        return {"head": self.head, "weights": _four(self.weights), "answer": self.answer}


@dataclass(frozen=True)
class Column:
    """What stands straight below a word: its score, its share, each None where the mask hides it, and the share as it
    is written; is_dropped: whether dropout has taken the share away."""

    score: float | None
    share: float | None
    written: str
    is_dropped: bool = False


@dataclass(frozen=True)
class Arcs:
    """A figure: the sentence as words, and above it arcs from one of them, focus (from 0), to those that it takes from.

    asks: what each head takes, of which head (from 0) is the one that is shown; answer: the word (from 0) that is
    looked at, -1 for none; columns: of the shown head, one a word; values: (words, features) of the shown head,
    taken: their sum by shares, both on one scale, bound; lines: what the lines of numbers are called, in words;
    note: the summary; sets: for each token, the settings that a click on it gives; pairs: for each token, those of
    a click on its column; own: the words around the sentence while it is typed over, None where it is not;
    ghost: what the shown head of the screen that was kept takes, empty where there is none; offered: words to choose
    instead, from 0.
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
