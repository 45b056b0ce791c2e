"""A sentence under dropout as data: the arcs of all heads to one word, draw after draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Dropping:
    """A figure: a sentence, and what each head takes for one of its words, focus (from 0), in one draw after the other.

    asks: the weights without dropout, one a head; head and key (from 0): the pair whose mean is drawn; names: of each
    head, what stands at the ends of its arcs, and short: where there is little room; draws (draws, heads, words): what
    is taken in each, none where nothing is dropped; at: the draw that is shown (from 0), and first: the number of the
    first of them; sets: for each token, the settings that a click on it gives. labels: in words, with holes that
    browser/dropping.js fills: `draw` and `mean`, what the arcs of either are called; `taken` and `averaged`, what
    stands at one of them; `key`, what their frames are, and `short_key` where there is little room; `counted`, how
    often a question is answered rightly so far; and `told`. buttons: what goes through the draws; columns: the heads of
    the columns of the table twin. rights (questions, draws): whether each question of the word is answered rightly;
    asked: these questions in words.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    focus: int
    head: int
    key: int
    asks: Sequence[Ask]
    names: Sequence[str]
    short: Sequence[str]
    draws: np.ndarray
    at: int
    first: int
    sets: Sequence[Mapping[str, str]]
    labels: Mapping[str, str]
    buttons: Mapping[str, str]
    columns: Sequence[str]
    rights: Sequence[np.ndarray] = ()
    asked: Sequence[str] = ()

    def sent(self) -> dict[str, Any]:
        """What travels to the browser: of each weight what it is where it is kept, and in which draws it is."""
        asks = [one.sent() for one in self.asks]
        kept = (self.draws > 0).astype(int)
        drawn = {
            "tokens": list(self.tokens),
            "focus": self.focus,
            "head": self.head,
            "key": self.key,
            "asks": asks,
            "weights": asks[self.head]["weights"],
            "answer": -1,
            "off": [],
            "draws": len(self.draws),
            "at": self.at,
            "first": self.first,
            "up": [[float(f"{one:.4g}") for one in row] for row in self.draws.max(0)] if len(self.draws) else [],
            "kept": [["".join(map(str, key)) for key in head.T] for head in kept.transpose(1, 0, 2)],
            "sets": list(self.sets),
            "rights": ["".join(map(str, one.astype(int))) for one in self.rights],
        }
        labels: dict[str, Any] = dict(self.labels) | {
            "names": list(self.names),
            "short": list(self.short),
            "buttons": dict(self.buttons),
            "columns": list(self.columns),
            "asked": list(self.asked),
        }
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {"labels": labels}
