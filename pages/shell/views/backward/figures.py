"""Each step beside its gradient: a click on a number differentiates it, a click on a gradient shows its arithmetic."""

from collections.abc import Iterator

from attention.analysis.backward import Backward
from attention.figures import LIMIT, matrix
from attention.inputs.names import along
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart
from pages.shell.i18n.vocabulary import called
from pages.shell.runs import backward
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import blocks, gradients, steps
from pages.shell.views.backward import target
from pages.shell.views.blocks import Block
from pages.shell.views.captions import part


def pairs(screen: Screen, key: str, *ids: str) -> Iterator[Block]:
    """Values and gradients of some steps, headed by their formulas; nothing if the run has none of them.

    key: the address's name of this part of the page.
    """
    run = screen.run
    there = [id for id in ids if id in run.trace]
    if not there:
        return
    made = target.found(screen)
    yield blocks.text(listed("semicolon", (_heading(made, id) for id in there)))
    drawn = [figure for id in there for figure in _pair(run, made, id)]
    shown = blocks.figures(*drawn, click={"cell": f"{{figure}}.{{row}}.{{column}}.{key}"})
    # Errors and losses belong to no cell: a click on a number differentiates that number instead.
    of_cells = target.goal(screen).kind in ("cell", "row", "sum")
    chooses = {"goal_at": "{figure}.{row}.{column}", "cell": ""} | ({} if of_cells else {"goal": ""})
    yield blocks.clicked(shown, dict.fromkeys(there, chooses))
    place = screen.place
    for id in there:
        if place is None or (place.figure, place.part) != (f"{gradients.OF}{id}", key) or id not in made.gradients:
            continue
        rows, columns = matrix(made.gradients[id], **run.where).shape
        if place.row < min(rows, LIMIT) and place.column < min(columns, LIMIT):
            yield blocks.panel(gradients.panel(run, made, id, place.row, place.column), closes=True)


def _heading(made: Backward, id: str) -> str:
    title = say(f"step.{id}.title")
    if id not in made.gradients:
        return say("backward.independent", title=title)
    formula = made.gradients[id].quantity.formula
    compared = next((one for one in backward.compared(made) if one.id == id), None)
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
