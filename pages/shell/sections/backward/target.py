"""What is differentiated: the number, how it is chosen, and the comparison of its gradients with PyTorch."""

import streamlit as st

from attention.analysis.backward import Backward
from attention.comparisons.backward_parity import FUSED, GradientComparison, against_autograd, against_torch
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widget
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.sources import Source, shared
from pages.shell.state.config import looked_at
from pages.shell.state.page_controls import Backward as Asked
from pages.shell.views import gradients
from pages.shell.views.steps import focus_of

shown = Source(lambda: compute(looked_at("backward", shared())))


def goal() -> Goal:
    asked = Asked.current()
    return Goal.of(asked.goal, asked.goal_at)


def _found() -> Backward:
    run = shown()
    return backward.found(run, goal(), focus_of(run))


asked = Source(goal)
found = Source(_found, key=lambda: backward.key(shown(), goal(), focus_of(shown())))


@row
def controls() -> None:
    widget("goal")
    # Set by a click on a figure, and carried by the link.
    with st.container(key="pipeline-held"):
        widget("goal_at")


@row
def told(run: Run, made: Backward) -> None:
    """The number in words, and the verdict on its gradients."""
    with st.container(key="backward-target", horizontal=True, vertical_alignment="center"):
        st.markdown(gradients.sentence(run, made, goal()), width="content")
        _parity(made)


def _parity(made: Backward) -> None:
    by_formula, by_torch = against_autograd(made), against_torch(made)
    every = (*by_formula, *by_torch)
    verdict = "none" if not every else "agrees" if all(one.agrees for one in every) else "differs"
    icon = {"agrees": ":material/check:", "differs": ":material/error:", "none": ":material/remove:"}[verdict]
    with st.popover(say(f"backward.verdict.{verdict}"), icon=icon, type="tertiary", width="content"):
        lines = [say("backward.parity.lead"), *(_badge(one) for one in by_formula)]
        if by_torch:
            lines += [say("backward.parity.fused", name=FUSED), *(_badge(one) for one in by_torch)]
        st.markdown("  \n".join(lines))


def _badge(one: GradientComparison) -> str:
    colour, step = "green" if one.agrees else "red", say(f"step.{one.id}.title")
    return f":{colour}-badge[{say('backward.parity.one', step=step, difference=apart(one.difference))}]"
