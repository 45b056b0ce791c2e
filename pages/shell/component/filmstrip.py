"""A state after each of several facts, under several rules, as data: drawn by browser/filmstrip.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Line:
    """name: that of the rule; known: the rule's name in the field; states (facts, keys, values): the state after each
    fact; answer: the final read in words."""

    name: str
    known: str
    states: np.ndarray
    answer: str


@dataclass(frozen=True)
class Filmstrip:
    """A line for each rule: the state after each fact, and the final read at the end.

    facts: each in words; brief: the same where there is little room; keys, values: the names of rows and columns;
    written: the row that each fact is written to; bound: the number with the strongest colour; is_open: whether the row
    of the last fact is still to be guessed, in which case neither it nor the answers are sent. labels: `question`,
    above the answers; `key_head` and `value_head`, the names of rows and columns; `rule_head` and `fact_head`, the
    heads of the table twin; `open`, the text in a hidden row; `kind` and `keys`, as in every figure.
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
