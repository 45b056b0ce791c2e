"""Headed rows of figures, one per step, or one step once for each mask."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from attention.figures import magnitude
from attention.masks import MASKS
from pages.shell import component
from pages.shell.i18n.options import word
from pages.shell.layout.cell import Cell
from pages.shell.layout.rows import answers, changes, row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.views.steps import card, cards


@row
def steps(run: Run, *ids: str, chapter: str, on_cell: Callable[[str], None] | None = None, brush: str = "") -> None:
    """A headed row of figures, one a step; a step that this run does not have is not shown.

    on_cell: what a click on a cell does in place of opening its arithmetic; it gets the key of the row. brush: the step
    whose cells are painted.
    """
    cell = Cell.current(run)
    row = cards(run, ids, cell.query(run) if cell else None)
    if not row:
        return
    key = f"plot-{chapter}"
    row = [replace(card, brush=card.heatmap.id == brush) for card in row]
    heard = answers(partial(on_cell, key)) if on_cell else partial(changes(Cell.report), key, chapter)
    component.cards(key, chapter, row, on_cell=heard)
    if cell and cell.stands(chapter, ids):
        cell.tell(run, chapter)


@row
def every_mask(run: Run, id: str, *, chapter: str) -> None:
    """A step once for each mask of the registry, in one headed row; a click chooses the mask as well."""
    runs = [compute(replace(run.config, mask=mask), record_mask=True) for mask in MASKS]
    # The mask of the screen as it is drawn here: where it hides nothing, the screen's own run has no such step.
    chosen = runs[list(MASKS).index(run.config.mask)]
    tags = [word("mask", mask) for mask in MASKS]
    _side_by_side(chosen, runs, tags, [("mask", mask) for mask in MASKS], id, chapter)


def _side_by_side(
    run: Run, runs: list[Run], tags: list[str], sets: list[tuple[str, str | int]], id: str, chapter: str
) -> None:
    key, cell = f"plot-{chapter}", Cell.current(run)
    query = cell.query(run) if cell else None
    bound = max((magnitude(each.matrix(id).float()) for each in runs if id in each.trace), default=0.0)
    row = [
        replace(card(each, each.trace[id], query, bound), tag=tag, sets=chosen)
        for each, tag, chosen in zip(runs, tags, sets, strict=True)
        if id in each.trace
    ]
    # What several of them would say, the first one says.
    notes = [card.note for card in row]
    row = [replace(card, note="" if card.note in notes[:at] else card.note) for at, card in enumerate(row)]
    component.cards(key, chapter, row, on_cell=partial(changes(Cell.report), key, chapter))
    if cell and cell.stands(chapter, (id,)):
        cell.tell(run, chapter)
