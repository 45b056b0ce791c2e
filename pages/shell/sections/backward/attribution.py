"""The attributions of a large screen, which take longer than an answer to a question about its figures."""

from pages.shell import component
from pages.shell.layout.part import depends_on, part
from pages.shell.runs import attribution
from pages.shell.runs.results import computed
from pages.shell.sections.backward import target
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Backward
from pages.shell.views.backward.attribution import place


@part
def task() -> None:
    depends_on(Config)
    depends_on(Backward)
    run = target.shown()
    if attribution.is_quick(run):
        return
    asked = attribution.experiment(run, *place(run, target.found()))
    computed(asked.key, asked.make)
    component.computed("backward-attributed", str(hash(asked.key)))
