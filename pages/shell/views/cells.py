"""The arithmetic of the cell that an address names, where it is one of a step."""

from attention.explain.cell import cell
from attention.inputs.names import along
from pages.shell.i18n import listed, say
from pages.shell.i18n.vocabulary import called
from pages.shell.runs.run import Run
from pages.shell.screen import Place
from pages.shell.views import rules
from pages.shell.views.panel import Panel, named


def panel(run: Run, place: Place) -> Panel:
    """place: a cell of a step of the run, as `Screen.step_at` finds it."""
    step = place.figure
    explained = cell(run.trace, step, place.row, place.column, **run.where)
    why = rules.sentence(run, explained, place.row, place.column)
    return Panel(say(f"step.{step}.title"), _where(run, place), why, explained, run.labels)


def _where(run: Run, place: Place) -> str:
    axes = run.trace[place.figure].matrix_axes
    if not axes:
        # A number of each head.
        return named("head", (), run.head)
    indices = (place.row, place.column)[-len(axes) :]
    return listed(
        "comma",
        (
            named(called(place.figure, axis), along(run.labels, place.figure, axis), index)
            for axis, index in zip(axes, indices, strict=True)
        ),
    )
