"""The attributions of a large screen, which take longer than an answer to a question about its figures."""

from attention.analysis.backward import Backward
from pages.shell import component
from pages.shell.layout.rows import row
from pages.shell.runs import attribution
from pages.shell.runs.results import computed
from pages.shell.runs.run import Run
from pages.shell.views.backward.attribution import place


@row
def task(run: Run, made: Backward) -> None:
    if attribution.is_quick(run):
        return
    asked = attribution.experiment(run, *place(run, made))
    computed(asked.key, asked.make)
    component.computed("backward-attributed", str(hash(asked.key)))
