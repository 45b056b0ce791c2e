"""A mask painted cell by cell on top of the one that is chosen."""

from functools import partial

import streamlit as st

from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout import steps
from pages.shell.layout.cell import Cell
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config
from pages.shell.state.painted_cells import SIZE, toggled
from pages.shell.state.pending import restore, set_controls


@row
def board(run: Run, *, chapter: str) -> None:
    """The mask, also where it hides nothing, and what follows from it; a click or Enter on a cell of it flips it."""
    whole = compute(run.config, record_mask=True)
    missing = whole.trace.sizes["key"] - whole.trace.sizes["query"]
    steps.steps(whole, "mask", "weights", chapter=chapter, on_cell=partial(_flip, chapter, missing))
    st.markdown(say("paint.how"))


def _flip(chapter: str, missing: int, key: str) -> None:
    """Paint the cell that was clicked, or take its paint away; a click on another figure shows its arithmetic."""
    click = component.clicked(key)
    if click is None or click.figure != "mask":
        Cell.report(key, chapter)
    elif 0 <= click.row < SIZE - missing and 0 <= click.column < SIZE:
        restore()
        set_controls({"painted": toggled(Config.current().painted, click.row + missing, click.column)})
