"""A gradient as a figure and in words, for the page on the backward pass and for the pipeline."""

from dataclasses import replace

from torch import Tensor

from attention.analysis.backward import Backward, Cell
from attention.explain import gradient
from attention.figures import Heads, Heatmap, heads_of, heatmap, magnitude, matrix
from attention.inputs.names import along
from attention.trace import Step
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.i18n.numbers import digits
from pages.shell.i18n.vocabulary import called
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.views.panel import Panel, named
from pages.shell.views.steps import focus_of

# The prefix of a step's id in the id of its gradient's figure.
OF = "d_"
# If a mask hides a pair, the gradient of its score is zero.
_HIDES = ("masked", "scaled", "scores")


def drawn(run: Run, made: Backward, id: str) -> Heatmap:
    """The gradient of a step in the shown head. Scores before and after scaling share their colours."""
    bound = 0.0
    if id in _HIDES:
        bound = max(magnitude(matrix(made.gradients[one], **run.where)) for one in _HIDES if one in made.gradients)
    step = made.gradients[id]
    shown = heatmap(step, **run.where, forbidden=_hidden(run, step), bound=bound)
    return replace(shown, id=f"{OF}{id}", hidden=None if shown.hidden is None else 0.0)


def drawn_heads(run: Run, made: Backward, id: str) -> Heads:
    """The gradients of a step in all heads."""
    step = made.gradients[id]
    return heads_of(step, run.module.heads, batch=run.sentence, forbidden=_hidden(run, step))


def _hidden(run: Run, step: Step) -> Tensor | None:
    if step.id not in _HIDES or "mask" not in run.trace or run.trace["mask"].quantity.kind != "binary":
        return None
    return ~run.matrix("mask")


def note(run: Run, made: Backward, id: str) -> str:
    """The largest gradient, and the number of zeros."""
    z = matrix(made.gradients[id], **run.where)
    if not z.any():
        return say("backward.note_zero")
    row, column = divmod(int(z.abs().argmax()), z.shape[1])
    value, place = digits(float(z[row, column])), _at(run, id, row, column)
    told, zeros = say("backward.note", value=value, place=place), int((z == 0).sum())
    return listed("sentence", (told, say("backward.note_some", zeros=zeros, cells=z.numel()))) if zeros else told


def panel(run: Run, made: Backward, id: str, row: int, column: int) -> Panel:
    """The arithmetic of a cell of a gradient."""
    read_by = made.read_by(id)
    told = gradient.cell(made.forward, made.gradients, id, row, column, by=read_by, **run.where)
    into = listed("comma", (say(f"step.{by}.title") for by in read_by or (id,)))
    title = say("backward.gradient", title=say(f"step.{id}.title"))
    rule = say(f"backward.rule.{told.rule}", step=into)
    places = (named(axis, names, index) for axis, names, index in _sides(run, id, row, column))
    return Panel(title, listed("comma", places), rule, told, run.labels)


def sentence(run: Run, made: Backward, goal: Goal) -> str:
    """The differentiated number, and how many steps and numbers it depends on."""
    step, row, column = backward.goal_cell(run, goal, focus_of(run))
    kind = goal.kind if goal.kind in ("cell", "row", "sum") else type(made.target).__name__.lower()
    if backward.asked_of(run, goal, focus_of(run)) is not None:
        kind = "answer"
    labels = run.labels.get(run.trace[step].axes[-2], ()) if run.trace[step].value.ndim > 1 else ()
    word = code(labels[row]) if row < len(labels) else str(row + 1)
    what = say(f"backward.goal.{kind}", step=say(f"step.{step}.title"), word=word, column=column + 1)
    # The number does not count among those that it depends on.
    others = [each for id, each in made.gradients.items() if not isinstance(made.target, Cell) or id != made.target.id]
    counts = [count for each in others if (count := int(each.value.count_nonzero()))]
    told = say("backward.depends", number=digits(made.number, 4), steps=len(counts), numbers=f"{sum(counts):,}")
    absent = [
        f"${one.quantity.letter}$"
        for id, one in made.forward.items()
        if id not in made.gradients and id not in made.fixed and id in run.trace and one.axes
    ]
    left = (say("backward.without", letters=listed("comma", absent)),) if absent else ()
    return listed("sentence", (what, told, *left))


def _at(run: Run, id: str, row: int, column: int) -> str:
    """The place of a cell, as plain text."""
    return listed(
        "comma",
        (
            f"{say(f'axis.{axis}')} {names[index] if names else index + 1}"
            for axis, names, index in _sides(run, id, row, column)
        ),
    )


def _sides(run: Run, id: str, row: int, column: int) -> list[tuple[str, tuple[str, ...], int]]:
    """For each axis of a cell, its name, the names along it, and the place on it."""
    axes = [axis for axis in run.trace[id].axes if axis not in ("batch", "head", "kv_head")]
    if not axes:
        # The step is one number for each head.
        return [("head", (), run.head)]
    indices = (row, column)[-len(axes) :]
    return [
        (called(id, axis), tuple(along(run.labels, id, axis)), index) for axis, index in zip(axes, indices, strict=True)
    ]
