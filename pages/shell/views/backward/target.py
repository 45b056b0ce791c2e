"""The differentiated number, and the comparison of its gradients with PyTorch."""

from collections.abc import Iterator

from attention.analysis.backward import Backward
from attention.comparisons.backward_parity import FUSED, GradientComparison, against_torch
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Backward as Asked
from pages.shell.views import gradients, ledger
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of


def goal(screen: Screen) -> Goal:
    asked = screen.own(Asked)
    return Goal.of(asked.goal, asked.goal_at)


def found(screen: Screen) -> Backward:
    """The gradients of the chosen number."""
    return backward.found(screen.run, goal(screen), focus_of(screen.run))


def told(screen: Screen) -> Iterator[Block]:
    """The number in words, and the verdict on its gradients."""
    made = found(screen)
    by_formula, by_torch = backward.compared(made), against_torch(made)
    every = (*by_formula, *by_torch)
    verdict = "none" if not every else "agrees" if all(one.agrees for one in every) else "differs"
    badges = [_badge(one) for one in by_formula]
    if by_torch:
        fused = {"verdict": "none", "line": say("backward.parity.fused", name=FUSED)}
        badges += [fused, *(_badge(one) for one in by_torch)]
    said, word = gradients.sentence(screen.run, made, goal(screen)), say(f"backward.verdict.{verdict}")
    yield ledger.line(said, verdict, word, say("backward.parity.lead"), badges)


def _badge(one: GradientComparison) -> dict[str, str]:
    said = say("backward.parity.one", step=say(f"step.{one.id}.title"), difference=apart(one.difference))
    return {"verdict": "agrees" if one.agrees else "differs", "line": said}
