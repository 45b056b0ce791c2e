"""Query heads, the key heads that they read and the answers as data, drawn by browser/sharing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Answer:
    """What a layer says to a question, whether that is right, and what is right, in words."""

    question: str
    said: str
    is_right: bool
    right: str


@dataclass(frozen=True)
class Sharing:
    """A figure: query heads with a line from each to the key head that it reads, above them the answers to the
    questions of one sentence, below them how large the cache is.

    keys: how many key heads there are, where keys divides the count of heads h: head i reads i // (h / keys). asks:
    the query head that is chosen, from 0; a click on another is reported as a row. asked: of each query head, which of
    the questions is its own, -1 for none; reads: what it reads, in words; names: its question, in words. labels:
    `answered`, `query_heads` and `key_heads`, what stands at answers and heads; `query`, `key` and `asked`, columns of
    the table, and `answer`, the last one; `here`, how many answers are right; `cache`, what its bar says, and `cached`,
    its share; `kind` and `keys`, what the figure is and what the keyboard does in it. note: as of a `Chart`.
    """

    id: str
    title: str
    keys: int
    asks: int
    asked: Sequence[int]
    reads: Sequence[str]
    names: Sequence[str]
    answers: Sequence[Answer]
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "asks": self.asks,
            "keys": self.keys,
            "asked": list(self.asked),
            "right": [answer.is_right for answer in self.answers],
        }
        words = dict(self.labels) | {
            "reads": list(self.reads),
            "names": list(self.names),
            "questions": [answer.question for answer in self.answers],
            "answers": [answer.said for answer in self.answers],
            "rightly": [answer.right for answer in self.answers],
        }
        return sent(self.id, self.title, "", self.note, "sharing", drawn) | {"labels": words}
