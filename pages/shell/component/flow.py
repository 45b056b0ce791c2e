"""A sentence with what flows back from one number of one word as data: over its arcs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent
from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Flow:
    """A figure: a sentence, the arcs of all heads to one of its words, focus (from 0), each in the colour of what it
    hands back.

    asks: the weights, one a head; gradients (heads, words): of the weights, written: the same in words; bound: where
    their colours end; sizes: of the gradient of each word's input, for the table twin; names: what each head is
    called; sets: for each token, the settings that a click on it gives, and for each number of the output; labels:
    `output`, or what stands in the lines of pushes, in words; columns: the heads of the columns of the table twin;
    output (features): the output of the word, empty where it is not offered, of which the number at picked (from 0, -1
    for none) flows back; picks: these numbers in words; pushes (heads, words): how hard each weight is pushed up or,
    below 0, down, from 0 to 3: each head then has a line below the words, with its weights and what pushes them;
    before, came (heads, words): what the weights were before the layer learned, and whether each has gone where its
    push points; both empty where it has not learned. bars: what a click on each weight gives, line by line, empty where
    it gives nothing; drags: the settings of a weight that is dragged, with {head}, {key} and {weight}; held: the weight
    that is moved by hand, and marked (head, word, mark): the one that was guessed; -1 for none.
    answers: of each word the right answers to its questions, how likely each was and is, in a line below the heads, and
    answered: the same in words; gain: how likely one has become with some of what was learned, and with all of it;
    empty where nothing was.
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
