"""The layer of a screen after it has learned from one answer alone: some small steps against the gradient of its loss."""

from dataclasses import replace
from functools import cache

from attention.analysis.backward import descend
from pages.shell.runs import backward, learned
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.memo import Memo
from pages.shell.runs.run import Run, weigh

# The rate of a step. With larger ones a sure answer is lost again; with this one, no step makes an answer less likely.
RATE = 0.02
# Bytes of records: those of a few dozen answers.
_REMEMBERED = 32_000_000


def after(run: Run, row: int, question: int, steps: int) -> Run:
    """The run after so many steps on one answer of a word; its config is that of the run at rest, whose gradients and
    memo are therefore not its own. run: of a layer whose answer to the question is known."""
    if not steps:
        return run
    key = run.config, learned.used(run.config), row, question, steps
    return _memo().get(key, lambda: _stepped(run, row, question, steps), weigh)


def _stepped(run: Run, row: int, question: int, steps: int) -> Run:
    before = after(run, row, question, steps - 1)
    goal = backward.target(run, Goal("answer", (ANSWER, row, question)), row)
    made = descend(before.trace, goal, before.module, RATE * steps)
    return replace(before, module=made.module, trace=made.trace)


@cache
def _memo() -> Memo:
    return Memo(_REMEMBERED)
