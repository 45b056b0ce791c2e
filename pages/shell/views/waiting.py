"""Results that a task of the page computes, for views that show them."""

from typing import TypeVar

from pages.shell.runs.results import Experiment
from pages.shell.views.registry import NotYetError

T = TypeVar("T")


def result(experiment: Experiment[T]) -> T:
    """The result of an experiment. NotYetError: it has not been computed yet, or its result was dropped."""
    found = experiment.found()
    if found is None:
        raise NotYetError(experiment)
    return found
