"""The chosen step of the pipeline, and its chosen cell."""

from dataclasses import dataclass

from attention.figures import LIMIT
from pages.shell.runs.run import Run
from pages.shell.screen import WORD, Place, Screen
from pages.shell.state.page_controls import Walkthrough
from pages.shell.views import telling
from pages.shell.views.steps import focus_of
from pages.shell.views.taken import acting

_WEIGHTS = "weights"
# The step in place of one that a run does not have: the one that it would be made from.
_INSTEAD = {"mask": "scaled", "masked": "scaled", "kept": "weights", "dropped": "weights"}


@dataclass(frozen=True)
class Chosen:
    """A step, a cell of it, and the pair that is looked at; all from 0. key: None if the query sees no key."""

    step: str
    row: int
    column: int
    query: int
    key: int | None

    @property
    def place(self) -> Place:
        return Place(self.step, self.row, self.column)


def chosen(screen: Screen, run: Run) -> Chosen:
    """The chosen step, and the cell of the address if it belongs to that step."""
    own, place = screen.own(Walkthrough), screen.step_at(run)
    step = own.step
    if not step and place is not None:
        step = place.figure
    elif not step and own.told:
        step = telling.step_of(run, own.told)
    step = step or opened(run)
    if step not in run.trace:
        step = _INSTEAD.get(step, _WEIGHTS)
    query, key = _pair(run, place)
    if place is not None and place.figure == step and place.part != WORD:
        return Chosen(step, place.row, place.column, query, key)
    return at_step(run, step, query, key)


def opened(run: Run) -> str:
    """The step that is large if an address names none: the weights, as they act on the values."""
    return acting(run)


def _pair(run: Run, place: Place | None) -> tuple[int, int | None]:
    """The query and the key of a cell, as far as it has them; else the preset's query, and the key with its largest
    weight. A chosen word gets that key too: a stored key would stay when weights move away."""
    query, key = None, None
    if place is not None:
        rows, columns = _axes(run, place.figure)
        query = place.row if rows == "query" else None
        earlier = run.trace.sizes.get("past", 0)
        of_rows = {"key": place.row, "past": place.row, "new": earlier + place.row}
        key = of_rows.get(rows, place.column if columns == "key" and place.part != WORD else None)
    if query is None:
        query = focus_of(run)
    if key is None:
        weights = run.matrix("weights")[query]
        key = min(int(weights.argmax()), LIMIT - 1) if bool(weights.any()) else None
    return query, key


def at_step(run: Run, step: str, query: int, key: int | None) -> Chosen:
    """The cell of a pair at a step of the run; along features, the largest in magnitude."""
    rows, columns = _axes(run, step)
    z = run.matrix(step)[:LIMIT, :LIMIT].float().abs().nan_to_num(posinf=0.0)
    at, earlier = key or 0, run.trace.sizes.get("past", 0)
    places = {"query": query, "key": at, "past": min(at, earlier - 1), "new": max(at - earlier, 0)}
    row = places[rows] if rows in places else int(z.max(dim=1).values.argmax())
    column = places[columns] if columns in places else int(z[row].argmax())
    return Chosen(step, row, column, query, key)


def _axes(run: Run, step: str) -> tuple[str, str]:
    """The names of the rows and of the columns of a step; a bias is one row without a name."""
    *_, rows, columns = "", "", *run.trace[step].matrix_axes
    return rows, columns
