"""Each step beside its gradient: a click on a number differentiates it, one on a gradient tells its arithmetic."""

from functools import partial

import streamlit as st
from torch import Tensor

from attention.analysis.backward import Backward
from attention.comparisons.backward_parity import against_autograd
from attention.explain import gradient
from attention.figures import LIMIT, Heatmap, heatmap, magnitude, matrix
from attention.inputs.names import along
from attention.trace import Step
from pages.shell import component
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, digits
from pages.shell.i18n.vocabulary import called
from pages.shell.layout import cell_panel, steps
from pages.shell.layout.cell import Cell, address, point_at
from pages.shell.layout.rows import changes, row
from pages.shell.runs.run import Run

OF = "d_"
# Where a mask hides a pair, what comes back to its score is zero.
_HIDES = ("masked", "scaled", "scores")
_TOGETHER = ("scores", "scaled", "masked")


@row
def pairs(run: Run, made: Backward, *ids: str) -> None:
    """Values and gradients of some steps, headed by their formulas; nothing where the run has none of them."""
    there = [id for id in ids if id in run.trace]
    if not there:
        return
    key = f"backward-{there[0]}"
    st.markdown(listed("semicolon", (_heading(run, made, id) for id in there)))
    drawn = [figure for id in there for figure in _pair(run, made, id)]
    component.row(f"plot-{key}", *drawn, on_cell=partial(changes(_clicked), key, tuple(there)))
    for id in there:
        if at := _open(key, made, run, id):
            cell_panel.show(panel(run, made, id, *at), key, Cell.close)


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
    figures = [Figure(drawn, say("backward.value", title=say(f"step.{id}.title")), rows, columns)]
    if id in made.gradients:
        title = say("backward.gradient", title=say(f"step.{id}.title"))
        figures.append(Figure(drawn_gradient(run, made, id), title, rows, columns, note(run, made, id)))
    return figures


def drawn_gradient(run: Run, made: Backward, id: str, head: int | None = None) -> Heatmap:
    """The gradient of a step; scores before and after they are scaled have one range of colours. head: from 0."""
    where = {"batch": run.sentence, "head": run.head if head is None else head}
    bound = 0.0
    if id in _TOGETHER:
        shared = (made.gradients[one] for one in _TOGETHER if one in made.gradients)
        bound = max(magnitude(matrix(one, **where)) for one in shared)
    step = made.gradients[id]
    drawn = heatmap(step, **where, forbidden=_hidden(run, step), bound=bound)
    hidden = 0.0 if drawn.hidden is not None else None
    return Heatmap(
        f"{OF}{id}", drawn.z, drawn.rows, drawn.columns, drawn.kind, drawn.low, drawn.high, drawn.size, hidden
    )


def _hidden(run: Run, step: Step) -> Tensor | None:
    if step.id not in _HIDES or "mask" not in run.trace or run.trace["mask"].quantity.kind != "binary":
        return None
    return ~run.matrix("mask")


def note(run: Run, made: Backward, id: str) -> str:
    """The largest gradient, and how many numbers have none."""
    z = matrix(made.gradients[id], **run.where)
    row, column = divmod(int(z.abs().argmax()), z.shape[1])
    place = _at(run, id, row, column)
    if not z.any():
        return say("backward.note_zero", cells=z.numel())
    zeros = int((z == 0).sum())
    return say("backward.note", value=digits(float(z[row, column])), place=place, zeros=zeros, cells=z.numel())


def panel(run: Run, made: Backward, id: str, row: int, column: int) -> cell_panel.Panel:
    """The arithmetic of a cell of a gradient."""
    told = gradient.cell(made.forward, made.gradients, id, row, column, by=made.read_by(id), **run.where)
    title = say("backward.gradient", title=say(f"step.{id}.title"))
    rule = say(
        f"backward.rule.{told.rule}",
        step=listed("comma", (say(f"step.{by}.title") for by in made.read_by(id) or (id,))),
    )
    return cell_panel.Panel(title, _place(run, id, row, column), rule, told, run.labels)


def _place(run: Run, id: str, row: int, column: int) -> str:
    axes = [axis for axis in run.trace[id].axes if axis not in ("batch", "head")]
    indices = (row, column)[-len(axes) :]
    named = (
        cell_panel.named(called(id, axis), along(run.labels, id, axis), index)
        for axis, index in zip(axes, indices, strict=True)
    )
    return listed("comma", named)


def _at(run: Run, id: str, row: int, column: int) -> str:
    """As `_place`, as plain text."""
    axes = [axis for axis in run.trace[id].axes if axis not in ("batch", "head")]
    named = []
    for axis, index in zip(axes, (row, column)[-len(axes) :], strict=True):
        names = along(run.labels, id, axis)
        named.append(f"{say(f'axis.{called(id, axis)}')} {names[index] if names else index + 1}")
    return listed("comma", named)


def _clicked(key: str, ids: tuple[str, ...]) -> None:
    """Differentiate the number that was clicked, or open the arithmetic of the gradient."""
    click = component.clicked(f"plot-{key}")
    if click is None:
        return
    if click.figure in ids:
        st.session_state["goal_at"] = f"{click.figure}.{click.row}.{click.column}"
        if st.session_state.get("goal") not in ("cell", "row", "sum"):
            st.session_state["goal"] = "cell"
        Cell.close()
    elif click.figure.removeprefix(OF) in ids:
        point_at(click, key)


def _open(key: str, made: Backward, run: Run, id: str) -> tuple[int, int] | None:
    """The row and the column of the gradient of a step that the URL names, if it has them."""
    match address():
        case [figure, row, column, place] if (figure, place) == (f"{OF}{id}", key) and id in made.gradients:
            rows, columns = (min(size, LIMIT) for size in matrix(made.gradients[id], **run.where).shape)
            return (row, column) if row < rows and column < columns else None
    return None
