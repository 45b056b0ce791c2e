"""Each step beside its gradient: a click on a number differentiates it, a click on a gradient shows its arithmetic."""

from functools import partial

import streamlit as st

from attention.analysis.backward import Backward
from attention.comparisons.backward_parity import against_autograd
from attention.figures import LIMIT, matrix
from attention.inputs.names import along
from pages.shell import component
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart
from pages.shell.i18n.vocabulary import called
from pages.shell.layout import cell_panel
from pages.shell.layout.cell import Cell, address, point_at
from pages.shell.layout.rows import answers, row
from pages.shell.runs.run import Run
from pages.shell.state.page_controls import Backward as Asked
from pages.shell.state.pending import set_controls
from pages.shell.views import gradients, steps
from pages.shell.views.captions import part


@row
def pairs(run: Run, made: Backward, *ids: str) -> None:
    """Values and gradients of some steps, headed by their formulas; nothing where the run has none of them."""
    there = [id for id in ids if id in run.trace]
    if not there:
        return
    key = f"backward-{there[0]}"
    st.markdown(listed("semicolon", (_heading(run, made, id) for id in there)))
    drawn = [figure for id in there for figure in _pair(run, made, id)]
    component.row(f"plot-{key}", *drawn, on_cell=answers(partial(_clicked, key, tuple(there))))
    for id in there:
        if at := _open(key, made, run, id):
            cell_panel.show(gradients.panel(run, made, id, *at), key, Cell.close)


def _heading(run: Run, made: Backward, id: str) -> str:
    title = say(f"step.{id}.title")
    if id not in made.gradients:
        return say("backward.independent", title=title)
    formula = made.gradients[id].quantity.formula
    compared = next((one for one in against_autograd(made) if one.id == id), None)
    if compared is None:
        why = "target" if id == made.target.id else "no_formula"
        return say(f"backward.heading.{why}", title=title, formula=formula)
    return say("backward.compared", title=title, formula=formula, difference=apart(compared.difference))


def _pair(run: Run, made: Backward, id: str) -> list[Figure]:
    step = run.trace[id]
    drawn = steps.drawn(run, step, run.head)
    rows, columns = (along(run.labels, id, axis) for axis in (drawn.rows, drawn.columns))
    of, rows_are = part(run, step), called(id, drawn.rows)
    title = say("backward.value", title=say(f"step.{id}.title"))
    figures = [Figure(drawn, title, rows, columns, called=rows_are, part=of)]
    if id in made.gradients:
        title = say("backward.gradient", title=say(f"step.{id}.title"))
        found, note = gradients.drawn(run, made, id), gradients.note(run, made, id)
        figures.append(Figure(found, title, rows, columns, note, called=rows_are, part=of))
    return figures


def _clicked(key: str, ids: tuple[str, ...]) -> None:
    """Differentiate the number that was clicked, or open the arithmetic of the gradient."""
    click = component.clicked(f"plot-{key}")
    if click is None:
        return
    if click.figure in ids:
        values = {"goal_at": f"{click.figure}.{click.row}.{click.column}"}
        set_controls(values | ({} if Asked.held("goal") in ("cell", "row", "sum") else {"goal": "cell"}))
        Cell.close()
    elif click.figure.removeprefix(gradients.OF) in ids:
        point_at(click, key)


def _open(key: str, made: Backward, run: Run, id: str) -> tuple[int, int] | None:
    """The row and the column of the gradient of a step that the URL names, if it has them."""
    match address():
        case [figure, row, column, place] if (figure, place) == (f"{gradients.OF}{id}", key) and id in made.gradients:
            rows, columns = (min(size, LIMIT) for size in matrix(made.gradients[id], **run.where).shape)
            return (row, column) if row < rows and column < columns else None
    return None
