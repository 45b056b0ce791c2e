"""Query heads and the key heads that they read as data, drawn by browser/sharing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Stage:
    """What the layer is at a stage: said in words, and short beside the shares; right: the share of the test questions
    that it answers rightly, and as it is written."""

    said: str
    short: str
    right: float
    written: str


@dataclass(frozen=True)
class Sharing:
    """A figure: query heads with a line from each to the key head that it reads; beside them how much is answered
    rightly at each stage, and how large the cache is; below them what the chosen head takes for one word, by stage.

    words: the sentence; shares: (stages, h, words); answers: of each query head, the word (from 0) that answers its
    question, -1 where it has none; keys: how many key heads there are, where keys divides h: head i reads
    i // (h / keys). asks: the query head that is chosen, from 0; a click on another is reported as a row. reads: of
    each query head, what it reads, in words; names: its question, "" for none; boxes: of as many key heads,
    what stands in each. labels: `queries`, `rights` and `takes`, what stands above heads, bars and shares; `query`,
    `key_heads` and `asked`, columns of the table; `cache`, what its bar says, and `cached`, its share; `kind` and
    `keys`, what the figure is and what the keyboard does in it. note: as of a `Chart`.
    """

    id: str
    title: str
    words: Sequence[str]
    shares: np.ndarray
    answers: Sequence[int]
    keys: int
    asks: int
    reads: Sequence[str]
    names: Sequence[str]
    boxes: Sequence[str]
    stages: Sequence[Stage]
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "asks": self.asks,
            "keys": self.keys,
            "answers": list(self.answers),
            "shares": [[[float(f"{one:.4g}") for one in head] for head in stage] for stage in self.shares],
            "rights": [float(f"{stage.right:.4g}") for stage in self.stages],
        }
        words = dict(self.labels) | {
            "words": list(self.words),
            "reads": list(self.reads),
            "names": list(self.names),
            "boxes": list(self.boxes),
            "stages": [stage.said for stage in self.stages],
            "short": [stage.short for stage in self.stages],
            "written": [stage.written for stage in self.stages],
        }
        return sent(self.id, self.title, "", self.note, "sharing", drawn) | {"labels": words}
