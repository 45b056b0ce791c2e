"""The layer of a screen after it has learned from one answer alone: small steps against the gradient of its loss."""

from dataclasses import replace
from functools import cache

from attention.analysis.backward import Target, descend
from pages.shell.runs import backward, learned
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.memo import Memo
from pages.shell.runs.run import Run, weigh

# The rate of the first step; the second step has twice as much, and so on, so that fast changes at the start can be
# seen. With a larger rate a sure answer is lost again; with this one, no step made one of the answers of the default
# sentence less likely, at any stop of the training.
RATE = 0.003
# Bytes of records: room for a few dozen answers.
_REMEMBERED = 32_000_000


def can_learn(run: Run, goal: Goal) -> bool:
    """Whether one answer is differentiated and all heads are on, since learning would bring back a head that is off."""
    return goal.kind == "answer" and backward.loss(run) is not None and not learned.off(run.config, run.module.heads)


def after(run: Run, row: int, question: int, steps: int) -> Run:
    """The run after so many steps on one answer of a word. It keeps the config of the run at rest, so results that are
    remembered by config, such as gradients, are not those of this run."""
    if not steps:
        return run
    asked = backward.target(run, Goal("answer", (ANSWER, row, question)), row)
    return _after(run, asked, (run.config, learned.used(run.config), row, question), steps)


def _after(run: Run, asked: Target, key: tuple[object, ...], steps: int) -> Run:
    if not steps:
        return run

    def made() -> Run:
        before = _after(run, asked, key, steps - 1)
        step = descend(before.trace, asked, before.module, RATE * steps)
        return replace(before, module=step.module, trace=step.trace)

    return _memo().get((*key, steps), made, weigh)


@cache
def _memo() -> Memo:
    return Memo(_REMEMBERED)
