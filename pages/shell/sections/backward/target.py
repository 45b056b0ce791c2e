"""The choice of what is differentiated, and what tasks of the page compute from: its run, the number, its gradients."""

from attention.analysis.backward import Backward
from pages.shell.layout.part import part
from pages.shell.layout.widgets import widget
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config, looked_at
from pages.shell.state.page_controls import Backward as Asked
from pages.shell.views.steps import focus_of


def shown() -> Run:
    return compute(looked_at("backward", Config.current()))


def goal() -> Goal:
    asked = Asked.current()
    return Goal.of(asked.goal, asked.goal_at)


def found() -> Backward:
    run = shown()
    return backward.found(run, goal(), focus_of(run))


@part
def controls() -> None:
    widget("goal")
