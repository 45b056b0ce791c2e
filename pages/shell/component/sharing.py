"""Query heads and the key heads that they read as data, drawn by browser/sharing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Sharing:
    """A figure: query heads with what each takes for one word, at several stages one below the other; key heads; from
    each query head a line to the key head that it reads; and the cache.

    words: the sentence; shares: (stages, h, words); answers: of each query head, the word (from 0) that answers its
    question, -1 where it has none; keys: how many key heads there are, where keys divides h: head i reads
    i // (h / keys). asks: the query head that is chosen, from 0; a click on another is reported as a row. reads: of
    each query head, what it reads, in words; names: its question, "" for none; stages: what each stage is.
    labels: `queries`, what stands above the shares; `sentence`, in place of it where there is room;
    `query`, `key` and `asked`, columns of the table; `cache`, what its bar says; `kind` and `keys`, what the figure is
    and what the keyboard does in it. note: as of a `Chart`.
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
    stages: Sequence[str]
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "asks": self.asks,
            "keys": self.keys,
            "answers": list(self.answers),
            "shares": [[[float(f"{one:.4g}") for one in head] for head in stage] for stage in self.shares],
        }
        words = dict(self.labels) | {
            "words": list(self.words),
            "reads": list(self.reads),
            "names": list(self.names),
            "stages": list(self.stages),
        }
        return sent(self.id, self.title, "", self.note, "sharing", drawn) | {"labels": words}
