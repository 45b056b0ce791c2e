"""A mask painted cell by cell on top of the one that is chosen."""

from functools import partial

import streamlit as st
from torch import Tensor

from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout import steps
from pages.shell.layout.cell import Cell
from pages.shell.layout.rows import changes, row
from pages.shell.runs.run import Run, painted_cells
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config
from pages.shell.state.painted_cells import SIZE, repainted
from pages.shell.state.pending import restore, set_controls

# The texts that were there before the last strokes, and the number of the last one.
_BEFORE, _LAST = "painted_before", "painted_stroke"
_MOST = 50


@row
def board(run: Run, *, chapter: str) -> None:
    """The mask, also where it hides nothing, and what follows from it; dragging over its cells, a click or Enter on one
    turns them round."""
    whole = compute(run.config, record_mask=True)
    queries, keys = whole.trace.sizes["query"], whole.trace.sizes["key"]
    plain = whole.matrix("mask").cpu().clone()
    for cell in painted_cells(run.config, queries, keys):
        plain[cell] ^= True
    steps.steps(whole, "mask", "weights", chapter=chapter, on_cell=partial(_paint, chapter, plain), brush="mask")
    # Of what was painted by hand alone: a link or the sidebar may have changed the mask since.
    if st.session_state.get(_BEFORE):
        st.button(say("paint.undo"), key="undo-paint", on_click=changes(_undo), icon=":material/undo:")
    st.markdown(say("paint.how"))


def _paint(chapter: str, plain: Tensor, key: str) -> None:
    """Set the cells of a stroke, on top of a mask without paint; a click on another figure shows its arithmetic."""
    stroke = component.stroke(key)
    if stroke is None or stroke.figure != "mask":
        Cell.report(key, chapter)
        return
    restore()
    queries, keys = plain.shape
    missing = keys - queries
    inside = [
        (row, column, value)
        for row, column, value in stroke.cells
        if 0 <= row < min(queries, SIZE - missing) and 0 <= column < min(keys, SIZE)
    ]
    differs = {(row + missing, column): bool(plain[row, column]) != value for row, column, value in inside}
    before = Config.current().painted
    after = repainted(
        before, (at for at, new in differs.items() if new), (at for at, new in differs.items() if not new)
    )
    if after == before:
        return
    if st.session_state.get(_LAST) != stroke.number or not st.session_state.get(_BEFORE):
        st.session_state[_BEFORE] = [*st.session_state.get(_BEFORE, []), before][-_MOST:]
    st.session_state[_LAST] = stroke.number
    set_controls({"painted": after})


def _undo() -> None:
    *rest, before = st.session_state[_BEFORE]
    st.session_state[_BEFORE], st.session_state[_LAST] = rest, None
    restore()
    set_controls({"painted": before})
