"""The place of a number in a record, and the places of its operands."""

import re
from dataclasses import dataclass

import torch
from torch import Tensor

from attention.explain.latex import subscript
from attention.trace import Step, Trace


@dataclass(frozen=True)
class Place:
    """A trace, and the place of the number to explain."""

    trace: Trace
    id: str
    row: int
    column: int
    batch: int
    head: int

    def matrix(self, id: str) -> Tensor:
        value = self.trace[id].of(batch=self.batch, head=self.head)
        return value.to("cpu", torch.float64) if value.dtype != torch.bool else value.cpu()

    def number(self, id: str) -> float:
        return float(self.matrix(id)[self.row, self.column])

    def operand(self, letter: str) -> str:
        """The id of the step that a letter names in the code of this one."""
        return self.trace.before(self.id, letter).id

    @property
    def step(self) -> Step:
        return self.trace[self.id]

    @property
    def index(self) -> str:
        """The row and the column as a formula counts them."""
        return subscript(self.row, self.column)

    @property
    def cell(self) -> str:
        """The name of the number in LaTeX."""
        return f"{name(self.step)}_{{{self.index}}}"


def name(step: Step) -> str:
    """The letter of a quantity: the left-hand side of its formula, ready for a subscript."""
    letter = re.split(r"=|\\leftarrow|\\sim|_\{", step.quantity.formula)[0].strip()
    return f"({letter})" if "_" in letter else letter
