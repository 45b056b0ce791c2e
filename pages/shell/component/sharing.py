"""Query heads, the key heads that they read and the answers as data, drawn by browser/sharing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Answer:
    """What a layer says to a question, whether that is right, and what is right, in words."""

    question: str
    said: str
    is_right: bool
    right: str


@dataclass(frozen=True)
class Query:
    """A query head in words: its question, what it reads, and what it takes; lost: the question that sharing took from
    it, "" for none; asked: which of the questions is its own, -1 for none; serves: whether it still does; weights: what
    the asking word takes from each word in it."""

    name: str
    reads: str
    takes: str
    lost: str
    asked: int
    serves: bool
    weights: Tensor


@dataclass(frozen=True)
class Sharing:
    """A figure: the sentence with what a query head takes from each word, the answers to its questions, query heads
    with a line from each to the key head that it reads, key heads with those that they were made of, and
    how large the cache is and how much is answered rightly.

    asks: the query head that is chosen, from 0; a click on another is reported as a row. words: the sentence; asking:
    the word that asks. kept: of each key head the key of each word and, after it, its value, (key heads, words,
    features), where their count divides that of the query heads h: head i reads i // (h / key heads); own: the same of
    the key heads before they were shared, one for each query head. bars: shares of a whole, each with what it is and
    how it is written. labels: `answered` and `asking`, what stands at the answers; `query_heads`, `key_heads` and
    `own_heads`, the names of rows; `query_heads_show`, what is in query heads, and `legend`, the same where there is no
    room beside; `key_heads_show`, what key heads are made of; `key_legend`, `below` and `above`, what is in key heads
    and their colours; `query`, `key`, `asked` and `takes`, columns of the table, and `answer`, the last one; `here`,
    how many answers are right; `kind` and `keys`, what the figure is and what the keyboard does in it. note: as of a
    `Chart`.
    """

    id: str
    title: str
    asks: int
    words: Sequence[str]
    asking: int
    queries: Sequence[Query]
    kept: Tensor
    own: Tensor
    answers: Sequence[Answer]
    bars: Sequence[tuple[float, str, str]]
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "asks": self.asks,
            "asking": self.asking,
            "keys": len(self.kept),
            "asked": [query.asked for query in self.queries],
            "serves": [query.serves for query in self.queries],
            "weights": [_short(query.weights) for query in self.queries],
            "made": _short(self.kept),
            "own": _short(self.own),
            "most": _short(self.own.abs().max()),
            "right": [answer.is_right for answer in self.answers],
            "bars": [float(f"{share:.4g}") for share, _, _ in self.bars],
        }
        words = dict(self.labels) | {
            "words": list(self.words),
            "reads": [query.reads for query in self.queries],
            "names": [query.name for query in self.queries],
            "takes_of": [query.takes for query in self.queries],
            "lost": [query.lost for query in self.queries],
            "questions": [answer.question for answer in self.answers],
            "answers": [answer.said for answer in self.answers],
            "rightly": [answer.right for answer in self.answers],
            "bars": [said for _, said, _ in self.bars],
            "written": [written for _, _, written in self.bars],
        }
        return sent(self.id, self.title, "", self.note, "sharing", drawn) | {"labels": words}


def _short(numbers: Tensor) -> Any:
    """As they are drawn: a thousandth is no other colour."""
    return (numbers.double() * 1000).round().div(1000).tolist()
