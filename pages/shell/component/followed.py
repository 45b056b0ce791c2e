"""The effect of a tile on the followed row, as data: its scores in the tile, and the kept sums as an equation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.shell.component.strip import shades


@dataclass(frozen=True)
class Chain:
    """An equation: the kept sums, times a factor, plus the new ones make those kept now; after the last keys, divided
    by their sum, the output.

    tokens: the words of the blocks, the oldest first; before, after: the blocks' heights, the new ones last; high: the
    end of their scale; sum: that of the present blocks. output (5, features): the kept output, what is left of it, the
    new part, both, and both divided by the sum; bound: the end of their colours. numbers: the heights of the same five
    stacks in words; times, divided: the factor and the divisor in words; equals: the sign between the two addends and
    their sum; cells: those of output in words; features: their names. is_last: whether no keys are left.
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
        """The stacks as shares of the scale, from the earlier blocks to those divided by the sum."""
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
    """The effect of a tile on the query in a row. largest: the largest score so far, in words; chain: what is kept of
    the row; corrects: whether a larger score shrinks that. said: whose scores these are, and how many are in memory;
    instead: why it is not the chosen query, "" if it is; hand: its scores in the tile, "" if the mask hides one; new:
    the largest score so far among them, −1 if it is an earlier one. why: the source of the factor in words, if it
    shrinks what was kept."""

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
