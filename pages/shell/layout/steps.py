"""Headed rows of figures, one per step, or one step once for each head, mask or mode."""

from dataclasses import replace
from functools import partial

from attention.figures import magnitude
from pages.shell import component
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.layout.cell import Cell
from pages.shell.layout.rows import changes, row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import MODES
from pages.shell.views.steps import card, cards


@row
def steps(run: Run, *ids: str, chapter: str) -> None:
    """A headed row of figures, one a step; a step that this run does not have is not shown."""
    cell = Cell.current(run)
    row = cards(run, ids, cell.query(run) if cell else None)
    if not row:
        return
    key = f"plot-{chapter}"
    component.cards(key, chapter, row, on_cell=partial(changes(Cell.report), key, chapter))
    if cell and cell.stands(chapter, ids):
        cell.tell(run, chapter)


@row
def every_head(run: Run, id: str, *, chapter: str) -> None:
    """A step once for each head, in one headed row; a click chooses the head as well."""
    runs = [replace(run, config=replace(run.config, head=head + 1)) for head in range(run.module.heads)]
    tags = [f"{say('axis.head')} {each.config.head}" for each in runs]
    _side_by_side(run, runs, tags, [("head", each.config.head) for each in runs], id, chapter)


@row
def both_modes(run: Run, id: str, *, chapter: str) -> None:
    """A step in training and in inference, in one headed row; a click chooses the mode as well."""
    runs = [compute(replace(run.config, mode=mode)) for mode in MODES]
    tags = [word("mode", mode) for mode in MODES]
    _side_by_side(run, runs, tags, [("mode", mode) for mode in MODES], id, chapter)


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
