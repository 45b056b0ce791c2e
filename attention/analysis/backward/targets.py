"""The number that is differentiated: a cell, a row or the sum of a step, or a loss of the output."""

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor
from torch.nn import functional as F

from attention import tensor_checks
from attention.trace import Step


@runtime_checkable
class Target(Protocol):
    """A number that one step decides.

    id: the step; formula: LaTeX, the number as L; of: the number, from the step with its graph.
    """

    @property
    def id(self) -> str: ...

    @property
    def formula(self) -> str: ...

    def of(self, step: Step, live: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Cell:
    """One cell of a step, of one sentence and one head; all from 0, as `attention.explain.cell.cell` counts them."""

    id: str
    row: int
    column: int
    batch: int = 0
    head: int = 0

    @property
    def formula(self) -> str:
        return rf"L = {{}}_{{{self.row + 1},{self.column + 1}}}"

    def of(self, step: Step, live: Tensor) -> Tensor:
        matrix = _matrix(step, live, self.batch, self.head)
        _inside(step, "row", self.row, matrix.shape[0])
        _inside(step, "column", self.column, matrix.shape[1])
        return matrix[self.row, self.column]


@dataclass(frozen=True)
class Row:
    """The sum of one row of a step, of one sentence and one head."""

    id: str
    row: int
    batch: int = 0
    head: int = 0

    @property
    def formula(self) -> str:
        return rf"L = \textstyle\sum_j {{}}_{{{self.row + 1},j}}"

    def of(self, step: Step, live: Tensor) -> Tensor:
        matrix = _matrix(step, live, self.batch, self.head)
        _inside(step, "row", self.row, matrix.shape[0])
        return matrix[self.row].sum()


@dataclass(frozen=True)
class Total:
    """The sum of a step over one sentence and all heads; sentence None: over all of them."""

    id: str
    batch: int | None = None

    formula = r"L = \textstyle\sum"

    def of(self, step: Step, live: Tensor) -> Tensor:
        if self.batch is None or "batch" not in step.axes:
            return live.sum()
        return live.select(0, min(self.batch, len(live) - 1)).sum()


@dataclass(frozen=True, eq=False)
class Weighted:
    """The sum of a step times given numbers of its shape, which then are its gradient."""

    upstream: Tensor
    id: str = "output"

    formula = r"L = \textstyle\sum"

    def of(self, step: Step, live: Tensor) -> Tensor:
        tensor_checks.same_shape("upstream", self.upstream, "step", live)
        return (live * self.upstream.to(live)).sum()


@dataclass(frozen=True, eq=False)
class SquaredError:
    """Half the squared distance of the output from a wanted one (..., L, d_out), so that dY = Y - T."""

    wanted: Tensor
    id: str = "projected"

    formula = r"L = \tfrac{1}{2} \lVert Y - T \rVert^2"

    def of(self, step: Step, live: Tensor) -> Tensor:
        tensor_checks.same_shape("wanted", self.wanted, "output", live)
        return (live - self.wanted.to(live)).square().sum() / 2


@dataclass(frozen=True, eq=False)
class CrossEntropy:
    """The loss of a read-out, in nats: -ln of the probability that softmax(Y R) gives the right answer; the mean over
    the words that ask a question, then over the questions that are asked.

    read_out (d_out, questions * answers); answers (..., L, questions), long: below 0 where nothing is asked.
    ValueError: nothing is asked at all.
    """

    read_out: Tensor
    answers: Tensor
    id: str = "projected"

    formula = r"L = -\ln \operatorname{softmax}(Y R)_{\text{right}}"

    def __post_init__(self) -> None:
        if not (self.answers >= 0).any():
            raise ValueError("no answer is asked for: all of answers are below 0")

    def of(self, step: Step, live: Tensor) -> Tensor:
        if self.answers.shape[:-1] != live.shape[:-1]:
            raise ValueError(f"answers have shape {tuple(self.answers.shape)}, the output {tuple(live.shape)}")
        logits = (live @ self.read_out.to(live)).unflatten(-1, (self.answers.shape[-1], -1))
        answers = self.answers.to(live.device)
        losses = F.cross_entropy(logits.flatten(0, -2), answers.clamp_min(0).flatten(), reduction="none")
        asked = (answers >= 0).flatten(0, -2)
        by_question = (losses.view(asked.shape) * asked).sum(0)[asked.any(0)] / asked.sum(0)[asked.any(0)]
        return by_question.mean()


def _matrix(step: Step, live: Tensor, batch: int, head: int) -> Tensor:
    matrix: Tensor = torch.atleast_2d(replace(step, value=live).of(batch=batch, head=head))
    return matrix


def _inside(step: Step, name: str, index: int, size: int) -> None:
    if not 0 <= index < size:
        raise ValueError(f"{name} {index} lies outside of the {size} {name}s of step {step.id!r}")
