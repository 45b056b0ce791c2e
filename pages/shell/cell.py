"""The cell that was clicked: in the URL, so that a link points at a number, and told in words."""

from dataclasses import dataclass

import streamlit as st

from attention.figures import LIMIT, matrix
from attention.notation import IDS
from pages.shell.run import Run
from pages.shell.text import say

_PARAMETER = "cell"


@dataclass(frozen=True)
class Cell:
    """A row and a column (from 0) of the matrix that is shown of a step."""

    step: str
    row: int
    column: int

    @classmethod
    def current(cls, run: Run) -> "Cell | None":
        """The cell that the URL names, when this run has it."""
        step, row, column, *_ = (*st.query_params.get(_PARAMETER, "").split("."), "", "", "")
        if not (row.isdecimal() and column.isdecimal()) or len(row + column) > 8:
            return None
        return cls._inside(run, step, int(row), int(column))

    @staticmethod
    def report(key: str) -> None:
        """Put the cell that the browser reports, input from outside like any other, into the URL."""
        reported = st.session_state[key].get("cell") or {}
        step, row, column = (reported.get(name) for name in ("figure", "row", "column"))
        if step in IDS and isinstance(row, int) and isinstance(column, int):
            st.query_params[_PARAMETER] = f"{step}.{row}.{column}"

    @classmethod
    def _inside(cls, run: Run, step: str, row: int, column: int) -> "Cell | None":
        if step not in run.trace:
            return None
        rows, columns = matrix(run.trace[step], batch=run.sentence, head=run.head).shape
        return cls(step, row, column) if 0 <= row < min(rows, LIMIT) and 0 <= column < min(columns, LIMIT) else None

    def query(self, run: Run) -> int | None:
        """The query whose row the cell stands in."""
        return self.row if "query" in run.trace[self.step].axes else None

    def tell(self, run: Run) -> None:
        step = run.trace[self.step]
        value = matrix(step, batch=run.sentence, head=run.head)[self.row, self.column].item()
        rows, columns = ([""] + [axis for axis in step.axes if axis not in ("batch", "head")])[-2:]
        places = [_place(run, axis, index) for axis, index in ((rows, self.row), (columns, self.column)) if axis]
        place = ", ".join(places)
        st.info(say("cell.value", title=say(f"step.{self.step}.title"), place=place, value=f"{value:.6g}"))


def _place(run: Run, axis: str, index: int) -> str:
    tokens = run.labels.get(axis)
    name = f"`{tokens[index].replace('`', chr(39))}`" if tokens else str(index)
    return f"{say(f'axis.{axis}')} {name}"
