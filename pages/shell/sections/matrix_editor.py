"""A grid to type over the numbers of a matrix."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from attention.inputs.edits import MATRICES, Typed, matrices
from attention.inputs.names import along
from attention.inputs.presets import Prepared
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import quoted
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import expander
from pages.shell.runs import brought
from pages.shell.runs.preparation import prepared
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.changes import set_controls
from pages.shell.state.config import Config
from pages.shell.state.typed_numbers import LARGEST, MOST, SIDE, Edit, edits, text
from pages.shell.views.typed import letter
from pages.shell.views.typed import name as name_of

_GRID, _REFUSED = "by_hand_grid", "by_hand_refused"
_LISTED = 6
# The browser's message about a grid: by row (from 0), the typed texts by the name of the column.
Rows = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True)
class Grid:
    """A block of a matrix as it was when its grid was made; the browser's messages are relative to that.

    made: the block of the preset; shown: the block with earlier edits. Both (rows, columns), float32.
    """

    number: int
    preset: str
    matrix: str
    block: int
    labels: tuple[str, ...]
    made: np.ndarray
    shown: np.ndarray

    @property
    def key(self) -> str:
        return f"by-hand-grid-{self.number}"

    def after(self, rows: Rows) -> tuple[np.ndarray, tuple[str, ...]]:
        """The block with the typed numbers, and the typed texts that are not numbers within the limits."""
        values, refused = self.shown.copy(), []
        for at, columns in rows.items():
            for column, typed in columns.items():
                value = _number(typed)
                if not (0 <= int(at) < len(values) and column.isdecimal() and int(column) < values.shape[1]):
                    continue
                if value is None:
                    refused.append("" if typed is None else str(typed))
                else:
                    values[int(at), int(column)] = value
        return values, tuple(refused)

    def edits(self, values: np.ndarray, before: Sequence[Edit]) -> tuple[Edit, ...]:
        """The edits of all matrices if this block had these values. before: all edits so far."""
        height, width = values.shape

        def here(one: Edit) -> bool:
            typed = one.typed
            inside = typed.row < height and typed.column < width
            return (one.preset, typed.matrix, typed.block) == (self.preset, self.matrix, self.block) and inside

        mine = (
            Edit(self.preset, Typed(self.matrix, self.block, row, column, float(values[row, column])))
            for row, column in np.argwhere(values != self.made).tolist()
        )
        return (*(one for one in before if not here(one)), *mine)


def _number(typed: object) -> float | None:
    """The typed text as a number that a link can carry; None for any other text."""
    try:
        read = float(str(typed).replace("−", "-"))
    except ValueError:
        return None
    return read + 0.0 if abs(read) <= LARGEST else None


@part
def section() -> None:
    """The grid, in an expander, so that a moving slider does not pay for it while it is closed. A file has no matrix to
    type into."""
    if brought.of(Config.current()) is not None:
        return
    closed = expander("by_hand", say("by_hand.title"), ":material/edit:")
    if closed.open:
        depends_on(Config)
        with closed:
            _editor(compute(Config.current()))


def _editor(run: Run) -> None:
    made, shown = matrices(prepared(run.config)[0]), matrices(Prepared(run.inputs, run.module))
    st.markdown(say("by_hand.lead", largest=f"{LARGEST:g}"))
    matrix = st.radio(
        say("by_hand.which"),
        [name for name in MATRICES if name in made],
        format_func=lambda name: f"{letter(name)} · {say(f'step.{name}.title')}",
        horizontal=True,
        key="by-hand-matrix",
    )
    block = run.sentence if matrix == "x" else run.head * len(made[matrix]) // run.module.heads
    here, there = (held[matrix][block].cpu().numpy() for held in (made, shown))
    if max(here.shape) > SIDE:
        st.info(
            say(
                "by_hand.large",
                name=name_of(matrix, block, run),
                rows=here.shape[0],
                columns=here.shape[1],
                side=SIDE,
            )
        )
        return
    grid = _grid(run, matrix, block, here, there)
    names = _names(run, matrix, 1, here.shape[1])
    st.data_editor(
        _frame(grid),
        key=grid.key,
        height="content",
        # Columns are text, since a column of numbers takes ".5" for 5, "1e2" for 12 and "abc" for 0.
        column_config={
            str(column): st.column_config.TextColumn(name, alignment="right") for column, name in enumerate(names)
        },
        on_change=_type,
        args=(grid,),
        alt=name_of(matrix, block, run),
    )
    if refused := st.session_state.pop(_REFUSED, None):
        st.error(refused, icon=":material/error:")
    _told(grid, there)
    with st.container(horizontal=True):
        label = say("by_hand.reset_one", name=name_of(matrix, block, run))
        st.button(label, key="by-hand-one", disabled=bool((here == there).all()), on_click=_reset, args=(grid,))
        st.button(say("by_hand.reset_all"), key="by-hand-all", disabled=not run.config.edited, on_click=_reset_all)


def _grid(run: Run, matrix: str, block: int, made: np.ndarray, shown: np.ndarray) -> Grid:
    """The present grid as long as it shows the computed numbers, since a new one takes the cursor away."""
    labels = tuple(run.inputs.tokens[block]) if matrix == "x" else _names(run, matrix, 0, len(made))
    old: Grid | None = st.session_state.get(_GRID)
    of_old = old and (old.preset, old.matrix, old.block, old.labels, old.made.shape)
    if old and of_old == (run.config.preset, matrix, block, labels, made.shape) and (old.made == made).all():
        values, refused = old.after(_rows(old))
        if not refused and (values == shown).all():
            return old
    grid = Grid(old.number + 1 if old else 0, run.config.preset, matrix, block, labels, made, shown)
    st.session_state[_GRID] = grid
    return grid


def _names(run: Run, matrix: str, side: int, count: int) -> tuple[str, ...]:
    """The labels of the rows (side 0) or columns (1) of a matrix: names if there are some, else numbers."""
    axis = ("", "", *run.trace[matrix].matrix_axes)[-2:][side]
    return tuple(along(run.labels, matrix, axis)) or tuple(str(place + 1) for place in range(count))


def _frame(grid: Grid) -> pd.DataFrame:
    """The numbers as they are typed, under the names of rows and columns."""
    numbers = [[_written(value) for value in row] for row in grid.shown]
    # The number before a word keeps the rows of a repeated word apart.
    rows = [f"{place} · {label}" if grid.matrix == "x" else label for place, label in enumerate(grid.labels, 1)]
    return pd.DataFrame(numbers, index=rows, columns=[str(column) for column in range(grid.shown.shape[1])])


def _written(value: np.float32) -> str:
    """The shortest decimal that equals this number, as people type it."""
    return str(value).removesuffix(".0")


def _rows(grid: Grid) -> Rows:
    state = st.session_state.get(grid.key) or {}
    return state.get("edited_rows", {})  # type: ignore[no-any-return]


def _type(grid: Grid) -> None:
    """Turn the texts typed into a grid into the edits of its block. Calling this twice changes nothing more."""
    values, refused = grid.after(_rows(grid))
    found = grid.edits(values, edits(Config.current().edited))
    if refused:
        words = listed("comma", (quoted(word) for word in refused[:_LISTED]))
        st.session_state[_REFUSED] = say("by_hand.refused", words=words, largest=f"{LARGEST:g}")
    if len(found) > MOST:
        st.session_state[_REFUSED] = say("by_hand.many", most=MOST)
    else:
        set_controls({"edited": text(found)})


def _reset(grid: Grid) -> None:
    set_controls({"edited": text(grid.edits(grid.made, edits(Config.current().edited)))})


def _told(grid: Grid, shown: np.ndarray) -> None:
    """List the typed numbers beside the numbers that they replaced."""
    places = np.argwhere(shown != grid.made).tolist()
    parts = [
        say(
            "by_hand.changed",
            place=f"({row + 1}, {column + 1})",
            before=_written(grid.made[row, column]),
            after=_written(shown[row, column]),
        )
        for row, column in places[:_LISTED]
    ]
    if places:
        more = " …" if len(places) > _LISTED else ""
        st.caption(say("by_hand.typed", count=len(places), parts=listed("semicolon", parts) + more))


def _reset_all() -> None:
    set_controls({"edited": ""})
