"""A sentence under dropout as data: the arcs of all heads to one word, draw after draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Beside:
    """A question in another layer after the same cuts: its row among the query's questions (from 0), the state of its
    answer in each draw, the layer in words, the settings of a click, and whether it stands below the query's own."""

    row: int
    rights: np.ndarray
    name: str
    sets: Mapping[str, str]
    is_below: bool


@dataclass(frozen=True)
class Dropping:
    """A sentence, and the weights of each head for one of its words, the query, in one draw after the other.

    focus: the query (from 0); asks: the weights without dropout, by head; names: labels at the ends of a head's arcs;
    short: the same where there is little room; draws (draws, heads, words): the weights in each draw, none if nothing
    is dropped; at: the shown draw (from 0); first: the number of the first one; sets: for each token, the settings of a
    click; labels: texts, with holes that browser/dropping.js fills: `right` and `wrong`, at an arc with such an answer;
    `anyway`, if it is right with all of its arcs cut; `counts`, under an arc that stays; `alone` and `enough`, under
    the only arc that is left of an answer; `counted`, how often a question is answered rightly so far; `lucky`, how
    often with all of its arcs cut; and `told`. buttons: the texts of the buttons that go through the draws. rights
    (questions, draws): whether a question of the query is answered rightly (1), wrongly (0), or rightly with all of its
    arcs cut (2); asked: these questions in words; answers: for each head, the question (from 0) of its arc, -1 for
    none. text: the layer of the arcs.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    focus: int
    head: int
    asks: Sequence[Ask]
    names: Sequence[str]
    short: Sequence[str]
    draws: np.ndarray
    at: int
    first: int
    sets: Sequence[Mapping[str, str]]
    labels: Mapping[str, str]
    buttons: Mapping[str, str]
    rights: Sequence[np.ndarray] = ()
    asked: Sequence[str] = ()
    answers: Sequence[int] = ()
    text: str = ""
    beside: Beside | None = None

    def sent(self) -> dict[str, Any]:
        """The data for the browser: each weight once, and the draws in which it is kept."""
        asks = [one.sent() for one in self.asks]
        kept = (self.draws > 0).astype(int)
        drawn = {
            "tokens": list(self.tokens),
            "focus": self.focus,
            "head": self.head,
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
            "answers": list(self.answers),
            "rights": list(map(_marks, self.rights)),
            "beside": self._beside(),
        }
        labels: dict[str, Any] = dict(self.labels) | {
            "names": list(self.names),
            "short": list(self.short),
            "buttons": dict(self.buttons),
            "asked": list(self.asked),
            "beside": self.beside.name if self.beside else "",
        }
        return sent(self.id, self.title, self.text, self.note, "arcs", drawn) | {"labels": labels}

    def _beside(self) -> dict[str, Any] | None:
        if self.beside is None:
            return None
        one = self.beside
        return {"row": one.row, "rights": _marks(one.rights), "sets": dict(one.sets), "isBelow": one.is_below}


def _marks(rights: np.ndarray) -> str:
    return "".join(map(str, rights.astype(int)))
