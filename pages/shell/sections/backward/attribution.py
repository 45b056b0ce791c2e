"""The attributions of a large screen, which take longer than an answer to a question about its figures."""

from pages.shell import component
from pages.shell.layout.part import dependent, depends_on
from pages.shell.runs import attribution
from pages.shell.runs.attribution import Attributed
from pages.shell.runs.results import Experiment, computed
from pages.shell.sections.backward import target
from pages.shell.views.backward.attribution import place


@dependent
def task() -> None:
    depends_on(_long)
    if (asked := _long()) is not None:
        computed(asked.key, asked.make)
        component.computed()


def _long() -> Experiment[Attributed] | None:
    """The attributions of the screen, if they take longer than an answer may; else None."""
    run = target.shown()
    return None if attribution.is_quick(run) else attribution.experiment(run, *place(run, target.found()))
