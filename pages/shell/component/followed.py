"""What a tile does to the row that is followed, as data: its scores in the tile, and what is kept, as an equation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Chain:
    """What was kept, times a factor, and what is new come to what is kept now; once no keys are to come, that,
    divided by its sum, to the output.

    tokens: whose blocks these are, the oldest first, and before, after: how high they were and are, the new ones last;
    high: the end of their scale; sum: of the blocks that are there now. output: what was kept of the output, what is
    left of it, what is new, both, and both divided by the sum (5, features); bound: of their colours. numbers: heights
    of stacks in words, of what was kept, is left, is new, of both, and of both divided by the sum; times, divided: by
    what, in words; equals: what stands between what is left and new, and both; cells: those of output in words, and
    features: their names. is_last: whether no keys are to come.
    """

    tokens: Sequence[str]
    before: Sequence[float]
    after: Sequence[float]
    high: float
    sum: float
    output: np.ndarray
    bound: float
    numbers: Sequence[str]
    times: str
    divided: str
    equals: str
    cells: Sequence[Sequence[str]]
    features: Sequence[str]
    is_last: bool

    def sent(self) -> dict[str, Any]:
        """Stacks as shares of the scale, from what was there to what is divided by the sum."""
        count, total = len(self.before), self.sum or 1.0
        kept, new = self.after[:count], self.after[count:]
        stacks = [self.before, kept, new, self.after]
        if self.is_last:
            stacks.append([one / total for one in self.after])
        return {
            "stacks": [[float(f"{one / self.high:.4g}") for one in stack] for stack in stacks],
            "output": shades(self.output, self.bound),
            "is_last": self.is_last,
        }

    def words(self) -> dict[str, Any]:
        return {
            "tokens": list(self.tokens),
            "numbers": list(self.numbers),
            "times": self.times,
            "divided": self.divided,
            "equals": self.equals,
            "cells": [list(one) for one in self.cells],
            "features": list(self.features),
        }


@dataclass(frozen=True)
class Followed:
    """What a tile does to the query in a row. largest: the largest score so far, in words; chain: what is kept of it;
    corrects: whether less is left of that, as a larger score came. said: whose scores these are, and how many are in
    memory; instead: why it is not the one that was chosen, "" where it is; hand: its scores in the tile, "" where the
    mask hides, and new: which of them is the largest so far, −1 where an earlier one still is. why: where the factor
    comes from, if what was kept shrinks; in words."""

    row: int
    largest: str
    chain: Chain
    corrects: bool
    said: str
    instead: str
    hand: Sequence[str]
    new: int
    why: str

    def sent(self) -> dict[str, Any]:
        """The numbers for the browser."""
        return {"row": self.row, "corrects": self.corrects, "new": self.new, **self.chain.sent()}

    def words(self) -> dict[str, Any]:
        """The words for the browser."""
        return {
            "said": self.said,
            "instead": self.instead,
            "hand": list(self.hand),
            "so_far": self.largest,
            "chain": self.chain.words(),
            "why": self.why,
        }
