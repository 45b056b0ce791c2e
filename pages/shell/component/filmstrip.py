"""A state after each of several facts, under several rules, as data: drawn by browser/filmstrip.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Line:
    """name: of the rule, and known: what the field calls it; states (facts, keys, values): what the state holds after
    each fact; answer: what is read in the end, in words."""

    name: str
    known: str
    states: np.ndarray
    answer: str


@dataclass(frozen=True)
class Filmstrip:
    """A figure: a line a rule, in it the state after each fact, and at its end what is read.

    facts: each in words, and brief: the same where there is little room; keys, values: the names of rows and columns;
    written: the row that each fact is written to; bound: the number of the strongest colour; is_open: whether the row
    of the last fact is still to be guessed: neither it nor the answers travel. labels: `question`, the words above the
    answers; `key_head` and `value_head`, what rows and columns are; `rule_head` and `fact_head`, the heads of the
    columns of the table twin; `open`, what stands in a row that is not shown; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    lines: Sequence[Line]
    facts: Sequence[str]
    brief: Sequence[str]
    keys: Sequence[str]
    values: Sequence[str]
    written: Sequence[int]
    bound: float
    labels: Mapping[str, str]
    is_open: bool = False

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "states": [self._shown(line.states) for line in self.lines],
            "keys": list(self.keys),
            "values": list(self.values),
            "written": list(self.written),
            "bound": self.bound,
        }
        words = dict(self.labels) | {
            "names": [line.name for line in self.lines],
            "known": [line.known for line in self.lines],
            "answers": ["" if self.is_open else line.answer for line in self.lines],
            "facts": list(self.facts),
            "brief": list(self.brief),
        }
        return sent(self.id, self.title, "", self.note, "filmstrip", drawn) | {"labels": words}

    def _shown(self, states: np.ndarray) -> list[list[list[float] | None]]:
        shown: list[list[list[float] | None]] = [
            [[float(f"{number:.4g}") for number in row] for row in state] for state in states
        ]
        if self.is_open:
            shown[-1][self.written[-1]] = None
        return shown
