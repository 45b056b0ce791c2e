"""The arithmetic of the cell that an address names, if it belongs to a step."""

from dataclasses import replace

from attention.explain.cell import cell
from attention.explain.latex import subscript
from attention.inputs.names import along
from pages.shell.i18n import listed, say
from pages.shell.i18n.vocabulary import called
from pages.shell.runs.run import Run
from pages.shell.screen import Place
from pages.shell.views import rules
from pages.shell.views.panel import Panel, named

# Axes of words.
_OF_WORDS = ("query", "key", "token")


def panel(run: Run, place: Place) -> Panel:
    """place: a cell of a step of the run, as `Screen.step_at` finds it."""
    step = place.figure
    explained = cell(run.trace, step, place.row, place.column, **run.where)
    why = rules.sentence(run, explained, place.row, place.column)
    told = replace(explained, equation=_in_words(run, place, explained.equation))
    return Panel(say(f"step.{step}.title"), _where(run, place), why, told, run.labels)


def _in_words(run: Run, place: Place, equation: str) -> str:
    """The arithmetic of a cell with words in place of their indices; unchanged if a word could be read as LaTeX."""
    axes = run.trace[place.figure].matrix_axes
    if len(axes) < 2:
        return equation
    rows, columns = axes[-2:]
    words = {
        at: run.labels[axis][index]
        for at, axis, index in (("row", rows, place.row), ("column", columns, place.column))
        if axis in _OF_WORDS
    }
    if not words or not all(word.isalnum() for word in words.values()):
        return equation
    row, column = (
        rf"\text{{{words[at]}}}" if at in words else str(index + 1)
        for at, index in (("row", place.row), ("column", place.column))
    )
    named = {subscript(place.row, place.column): f"({row}, {column})", f"{place.row + 1}j": f"({row}, j)"}
    if "row" in words:
        named[str(place.row + 1)] = f"({row})"
    if "column" in words:
        named[str(place.column + 1)] = f"({column})"
    for index, said in named.items():
        equation = equation.replace(f"_{{{index}}}", said)
    return equation


def _where(run: Run, place: Place) -> str:
    axes = run.trace[place.figure].matrix_axes
    if not axes:
        # The step is one number for each head.
        return named("head", (), run.head)
    indices = (place.row, place.column)[-len(axes) :]
    return listed(
        "comma",
        (
            named(called(place.figure, axis), along(run.labels, place.figure, axis), index)
            for axis, index in zip(axes, indices, strict=True)
        ),
    )
