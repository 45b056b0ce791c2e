"""The backward pass of a screen, memoised: from its controls to a target, and the gradients of every step."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from attention.analysis.backward import Backward, Cell, CrossEntropy, Row, SquaredError, Target, Total, backward
from attention.comparisons.backward_parity import GradientComparison, against_autograd
from attention.figures import LIMIT
from attention.inputs.grammar import NOT_ASKED, QUESTIONS, answers
from attention.inputs.tokens import PAD
from pages.shell.runs import brought, learned
from pages.shell.runs.memo import Memo
from pages.shell.runs.run import Run
from pages.shell.state.config import LEARNED

# Bytes of gradients: as many as of records.
_REMEMBERED = 32_000_000
# The step that is differentiated by default: the last one of a layer, and the last one of a file.
OUTPUT, _OF_TENSORS = "projected", "output"
# This id in place of a step of a Goal means an answer: the row is the word that asks, the column its question.
ANSWER = "answer"


@dataclass(frozen=True)
class Goal:
    """The number to differentiate. kind: one of `GOALS`. at: a step with a row and a column, from 0, or `ANSWER` with a
    word and one of its questions; None for the largest number of the output in the row of the chosen query."""

    kind: str
    at: tuple[str, int, int] | None = None

    @classmethod
    def of(cls, kind: str, at: str) -> "Goal":
        """The goal of the texts of a link; `at` is None where its text is no place."""
        step, row, column, *_ = (*at.split(".", 2), "", "", "")
        if not (row.isdecimal() and column.isdecimal()) or len(row + column) > 8:
            return cls(kind)
        return cls(kind, (step, int(row), int(column)))

    @property
    def parameters(self) -> dict[str, str]:
        """The goal as the texts of a link."""
        return {"goal": self.kind} | ({"goal_at": ".".join(map(str, self.at))} if self.at else {})


def goal_cell(run: Run, goal: Goal, query: int) -> tuple[str, int, int]:
    """The step, the row and the column that a goal means on this screen. query: the one that is looked at, from 0."""
    if goal.at is not None and goal.at[0] in run.trace:
        step, row, column = goal.at
        value = run.trace[step].value
        if value.is_floating_point() and value.ndim > 0:
            rows, columns = (min(size, LIMIT) for size in run.matrix(step).shape)
            if row < rows and column < columns:
                return step, row, column
    if goal.at is not None and goal.at[0] == ANSWER and goal.at[1] < min(run.trace.sizes["query"], LIMIT):
        query = goal.at[1]
    last = output(run)
    return last, query, int(run.matrix(last)[query, :LIMIT].abs().argmax())


def output(run: Run) -> str:
    """The last step of a run."""
    return OUTPUT if run.has_layer else _OF_TENSORS


def target(run: Run, goal: Goal, query: int) -> Target:
    """The number that is differentiated. For a preset without questions, the loss is the error of repeating X."""
    step, row, column = goal_cell(run, goal, query)
    if goal.kind == "cell" or (goal.kind == "answer" and loss(run) is None):
        return Cell(step, row, column, **run.where)
    if goal.kind == "row":
        return Row(step, row, **run.where)
    if goal.kind == "sum":
        return Total(step, run.sentence)
    if goal.kind in ("loss", "answer") and (asked := loss(run)) is not None:
        question = asked_of(run, goal, query)
        return asked if question is None else replace(asked, answers=_alone(asked.answers, run.sentence, row, question))
    if not run.has_layer:
        return Total(_OF_TENSORS, run.sentence)
    wanted, made = run.trace["x"].value, run.trace[OUTPUT].value
    return SquaredError(wanted) if wanted.shape == made.shape else Total(OUTPUT, run.sentence)


def loss(run: Run) -> CrossEntropy | None:
    """The training loss of the layer on the sentences of the screen; None where they ask nothing."""
    setting = learned.used(run.config)
    if setting is None or run.context is not None:
        return None
    asked = right_answers(run)
    return CrossEntropy(learned.layer(setting).read_out, asked) if bool((asked >= 0).any()) else None


def asked_of(run: Run, goal: Goal, query: int) -> int | None:
    """The question whose answer is differentiated: the one that the goal names, else the first of the word. None where
    the goal is not an answer, or the word asks nothing."""
    if goal.kind != "answer" or loss(run) is None:
        return None
    _, row, _ = goal_cell(run, goal, query)
    asked = [at for at, answer in enumerate(right_answers(run)[run.sentence, row]) if answer >= 0]
    if goal.at is not None and goal.at[0] == ANSWER and goal.at[2] in asked:
        return goal.at[2]
    return asked[0] if asked else None


def _alone(answers: Tensor, sentence: int, row: int, question: int) -> Tensor:
    """The right answers with all but one marked as not asked."""
    alone = torch.full_like(answers, NOT_ASKED)
    alone[sentence, row, question] = answers[sentence, row, question]
    return alone


def right_answers(run: Run) -> Tensor:
    """The right answers (sentence, query, question), each as `attention.inputs.grammar.answers` gives it. They are
    shared: nobody may change them."""
    words = tuple(tuple(token for token in tokens if token != PAD) for tokens in run.inputs.tokens)
    queries, places = run.trace.sizes["query"], run.inputs.x.shape[-2]
    return _right_answers(words, places, asks=run.config.preset == LEARNED)[:, -queries:]


@lru_cache(64)
def _right_answers(texts: tuple[tuple[str, ...], ...], places: int, *, asks: bool) -> Tensor:
    """Cached: a page asks for these answers some hundred times, for each word, its others and the run before."""
    found = torch.full((len(texts), places, len(QUESTIONS)), NOT_ASKED)
    if asks:
        for row, sentence in zip(found, learned.sentences(texts), strict=True):
            row[: len(sentence.words)] = answers(sentence)
    return found


def found(run: Run, goal: Goal, query: int) -> Backward:
    """The gradients of a screen, from the memo where it has them. They are shared: nobody may change them."""

    def made() -> Backward:
        return backward(run.trace, target(run, goal, query), run.module if run.has_layer else None)

    # Gradients of a file are freed together with the file.
    file = brought.of(run.config)
    return (file.runs if file else _memo()).get(key(run, goal, query), made, _weigh)


def compared(made: Backward) -> tuple[GradientComparison, ...]:
    """A comparison for each step whose gradient has a formula, made once for all parts of a page."""
    if made not in _compared:
        _compared[made] = against_autograd(made)
    return _compared[made]


_compared: WeakKeyDictionary[Backward, tuple[GradientComparison, ...]] = WeakKeyDictionary()


def key(run: Run, goal: Goal, query: int) -> Hashable:
    """The memo's key: all that the gradients of a screen depend on."""
    return run.config, learned.used(run.config), goal, query


@cache
def _memo() -> Memo:
    return Memo(_REMEMBERED)


def _weigh(made: Backward) -> int:
    # The gradients of autograd, and as many bytes again for those by hand.
    return 2 * sum(step.value.nbytes for step in made.gradients.values())
