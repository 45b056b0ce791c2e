"""A sentence as data, with the gradients that flow back over its arcs from one number of one word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent
from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Flow:
    """A sentence with the arcs of all heads from one of its words, the query; an arc has the colour of its gradient.

    focus: the query (from 0); asks: the weights, by head; gradients (heads, words): those of the weights; written: the
    same in words; bound: the end of their colours; sizes: the sizes of the gradients of the inputs, for the table twin;
    names: those of the heads; sets: the settings of a click, for each token and for each number of the output; labels:
    `output`, or the texts of the lines of pushes; columns: the heads of the table twin; output (features): the query's
    output, empty if it is not offered; picked: its number (from 0) that flows back, -1 for none; picks: these numbers
    in words; pushes (heads, words): how hard each weight is pushed up or, below 0, down, from 0 to 3; each head then
    has a line below the words, with its weights and their pushes; before, came (heads, words): the weights before the
    layer learned, and whether each went where its push points; both empty before learning. bars: the settings of a
    click on each weight, line by line, empty for none; drags: the settings of a dragged weight, with {head}, {key} and
    {weight}; held: the weight moved by hand; marked (head, word, mark): the guessed weight; -1 for none. answers: for
    each word, the right answers to its questions and how likely each was and is, in a line below the heads; answered:
    the same in words; gain: how likely an answer has become with some of the learning, and with all; empty without it.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    focus: int
    head: int
    asks: Sequence[Ask]
    gradients: np.ndarray
    written: Sequence[Sequence[str]]
    bound: float
    fastest: tuple[int, int]
    sizes: Sequence[float]
    names: Sequence[str]
    sets: Sequence[Mapping[str, str]]
    labels: Mapping[str, Any]
    columns: Sequence[str]
    output: Sequence[float] = ()
    picked: int = -1
    picks: Sequence[str] = ()
    pushes: np.ndarray | None = None
    before: Sequence[Sequence[float]] = ()
    came: Sequence[Sequence[bool]] = ()
    bars: Sequence[Mapping[str, str]] = ()
    drags: Mapping[str, str] = field(default_factory=dict)
    held: tuple[int, int] = (-1, -1)
    marked: tuple[int, int, str] = (-1, -1, "")
    answers: Sequence[Sequence[Mapping[str, Any]]] = ()
    answered: Sequence[Sequence[str]] = ()
    gain: Mapping[str, Any] = field(default_factory=dict)

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        asks = [one.sent() for one in self.asks]
        drawn = {
            "tokens": list(self.tokens),
            "focus": self.focus,
            "head": self.head,
            "asks": asks,
            "weights": asks[self.head]["weights"],
            "answer": -1,
            "off": [],
            "flows": [[float(f"{one:.4g}") for one in row] for row in self.gradients],
            "bound": self.bound,
            "fastest": self.fastest,
            "columns": [[None, float(f"{size:.4g}"), "", False] for size in self.sizes],
            "sets": [*self.sets, *self.bars],
            "picked": self.picked,
        }
        if self.pushes is not None:
            drawn["pushes"] = self.pushes.tolist()
            drawn["before"] = [[float(f"{weight:.4g}") for weight in row] for row in self.before]
            drawn["came"] = [list(row) for row in self.came]
            drawn |= {"drags": dict(self.drags), "held": self.held, "marked": self.marked}
            drawn |= {"answers": self.answers, "gain": dict(self.gain)}
            drawn["isTaken"] = len(self.bars) > 0
        if self.output:
            made = np.asarray([self.output])
            drawn["output"] = shades(made, float(np.abs(made).max()) or 1.0)
        labels: dict[str, Any] = {
            **self.labels,
            "names": list(self.names),
            "short": list(self.names),
            "written": [list(row) for row in self.written],
            "columns": list(self.columns),
            "picks": list(self.picks),
            "answered": [list(one) for one in self.answered],
        }
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {"labels": labels}
