"""The part of a gradient that one step hands back to a cell of another, with the numbers behind it."""

from dataclasses import dataclass

import torch
from torch import Tensor

from attention.explain.latex import subscript
from attention.trace import SHARED, Step, Trace


@dataclass(frozen=True)
class Part:
    """The part that one step hands back to a cell of another: the line of Python, and the values of its letters."""

    forward: Trace
    gradients: Trace
    id: str
    by: str
    code: str
    row: int
    column: int
    batch: int
    head: int

    def step(self, letter: str) -> Step:
        """The step of a letter: a gradient, or the last step with this letter before the one of the line."""
        if letter.startswith("d"):
            return self.gradients[self.by]
        ids = list(self.forward)
        known = ids[: ids.index(self.by) + 1]
        return next(self.forward[id] for id in reversed(known) if self.forward[id].quantity.letter == letter)

    def before(self) -> Tensor:
        """The value before the step of the letter that it refines."""
        return matrix_of(self.forward.before(self.by, self.forward[self.by].quantity.letter), self.batch, self.head)

    def matrix(self, letter: str) -> Tensor:
        return matrix_of(self.step(letter), self.batch, self.head)

    def sentence(self, letter: str) -> Tensor:
        """The value of a letter for the sentence, all heads."""
        step = self.step(letter)
        value = step.value.to("cpu", torch.float64)
        return value[min(self.batch, len(value) - 1)] if "batch" in step.axes else value

    def of_head(self, letter: str) -> Tensor:
        """The value of a letter for the head, all sentences."""
        step = self.step(letter)
        value = step.value.to("cpu", torch.float64)
        for axis in ("head", *SHARED):
            index = self.head if axis == "head" else self.head // step.group
            if axis in step.axes:
                value = value.select(step.axes.index(axis), min(index, step.sizes[axis] - 1))
        return value

    @property
    def cell(self) -> str:
        return f"{bracketed(self.gradients[self.id].quantity.letter)}_{{{subscript(self.row, self.column)}}}"

    @property
    def own(self) -> float:
        """The cell at the same place of the incoming gradient."""
        return float(self.matrix("d")[self.row, self.column])


def matrix_of(step: Step, batch: int, head: int) -> Tensor:
    matrix: Tensor = torch.atleast_2d(step.of(batch=batch, head=head).to("cpu", torch.float64))
    return matrix


def bracketed(letter: str) -> str:
    return f"({letter})" if "_" in letter else letter
