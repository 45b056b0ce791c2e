"""Query heads, the key heads that they read and the answers as data, drawn by browser/sharing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Answer:
    """A layer's answer to a question, whether it is right, and the right answer, in words."""

    question: str
    said: str
    is_right: bool
    right: str


@dataclass(frozen=True)
class Query:
    """A query head in words: its question, its key head, and its weights; lost: the question that it lost by sharing,
    "" for none; asked: the place of its own question, -1 for none; serves: whether it still answers that; weights:
    those of the asking word over the words."""

    name: str
    reads: str
    takes: str
    lost: str
    asked: int
    serves: bool
    weights: Tensor


@dataclass(frozen=True)
class Sharing:
    """A sentence with the weights of a query head, the answers to its questions, a line from each query head to its key
    head, the key heads with those that they were made of, the size of the cache, and the share of right answers.

    asks: the chosen query head, from 0; a click on another is reported as a row. words: the sentence; asking: the word
    that asks. kept (key heads, words, features): for each key head the key of each word followed by its value; the
    count divides that of the query heads h: head i reads i // (h / key heads); own: the same for the key heads before
    they were shared, one for each query head. bars: shares of a whole, each with its name and as text. labels:
    `answered` and `asking`, at the answers; `query_heads`, `key_heads` and `own_heads`, the names of rows;
    `query_heads_show`, the content of query heads, and `legend`, the same without room beside; `key_heads_show`, the
    parts of key heads; `key_legend`, `below` and `above`, the content of key heads and their colours; `query`, `key`,
    `asked` and `takes`, columns of the table, and `answer`, the last one; `here`, the number of right answers; `kind`
    and `keys`, the kind of the figure and its use by keyboard. note: as in a `Chart`.
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
    """Numbers rounded to thousandths, since a smaller difference shows no other colour."""
    return (numbers.double() * 1000).round().div(1000).tolist()
