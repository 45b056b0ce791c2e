"""The choice of what is differentiated, and what tasks of the page compute from: its run, the number, its gradients."""

from attention.analysis.backward import Backward
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widget
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import run as compute
from pages.shell.runs.sources import Source, shared
from pages.shell.state.config import looked_at
from pages.shell.state.page_controls import Backward as Asked
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
