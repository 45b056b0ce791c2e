"""A mask painted cell by cell on top of the one that is chosen."""

from functools import partial

import streamlit as st

from pages.shell import show
from pages.shell.cell import Cell
from pages.shell.controls import Config
from pages.shell.painted import SIZE, toggled
from pages.shell.run import Run
from pages.shell.run import run as compute
from pages.shell.text import say
from pages.shell.wanted import hold, want


def board(run: Run, *, chapter: str) -> None:
    """The mask, also where it hides nothing, and what follows from it; a click or Enter on a cell of it flips it."""
    whole = compute(run.config, record_mask=True)
    missing = whole.trace.sizes["key"] - whole.trace.sizes["query"]
    show.steps(whole, "mask", "weights", chapter=chapter, on_cell=partial(_flip, chapter, missing))
    st.markdown(say("paint.how"))


def _flip(chapter: str, missing: int, key: str) -> None:
    """What the browser reports is input from outside like any other."""
    reported = st.session_state[key].get("cell") or {}
    row, column = reported.get("row"), reported.get("column")
    if reported.get("figure") != "mask":
        Cell.report(key, chapter)
    elif isinstance(row, int) and isinstance(column, int) and 0 <= row < SIZE - missing and 0 <= column < SIZE:
        hold()
        want({"painted": toggled(Config.current().painted, row + missing, column)})
