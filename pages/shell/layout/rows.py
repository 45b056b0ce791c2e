"""Redraw the rows of a page that a change affects: those that have read something whose value has changed.

A row is a keyed fragment of Streamlit's. What it is drawn from are sources, asked anew each time, and never what a run
of the page has computed; what it read of them is noted as it is drawn (docs/decisions/rows.md).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

from pages.shell.i18n import speak_on
from pages.shell.runs.sources import Source, is_one_turn, one_turn, turn_of_rows
from pages.shell.state import pending
from pages.shell.state.parameters import mark_parameters_sent, restore_parameters
from pages.shell.state.reader import Reader
from pages.shell.state.reads import Reads, changed, is_noting, noting

P = ParamSpec("P")
_ROWS = "rows"
# Drawn when a change concerns no row: a rerun must have something to draw.
_NONE = "no-row"
# What only a run of the page shows. Two changes may come in one message, and the callback of the other asks for rows.
_OF_PAGE = ("lang", "lecture", "present")
_whole: ContextVar[bool] = ContextVar("whole_run", default=False)


@dataclass
class _Rows:
    """The rows of the page as a visitor's browser has them. read: by name, None while it is not known what was read;
    reader: the settings that the page was drawn with, None where the run that drew it did not come to its end."""

    read: dict[str, Reads | None] = field(default_factory=dict)
    reader: tuple[object, ...] | None = None


@contextmanager
def whole_run() -> Iterator[None]:
    """Draw all rows of a page in here."""
    st.session_state[_ROWS] = _Rows()
    token = _whole.set(True)
    try:
        st.fragment(key=_NONE)(_nothing)()
        yield
        _drawing().reader = _reader()
    finally:
        _whole.reset(token)


def _reader() -> tuple[object, ...]:
    return tuple(Reader.held(name) for name in _OF_PAGE)


def _nothing() -> None:
    pass


def _drawing() -> _Rows:
    """The rows of the page; as any look into the session, it ends a run that is to give way to another."""
    rows: _Rows = st.session_state[_ROWS]
    return rows


def row(draw: Callable[..., None]) -> Callable[..., None]:
    """Make a function that draws something a row of the page, drawn from the sources among its arguments.

    Its name is that of the function and of its arguments that are text: no two of a page are the same.
    """

    @wraps(draw)
    def placed(*given: Any, **named: Any) -> None:
        if is_noting():
            # A part of another row.
            draw(*given, **named)
            return
        texts = (text for text in (*given, *named.values()) if isinstance(text, str))
        name = "-".join((draw.__module__.rpartition(".")[2], draw.__name__, *texts))
        # What surrounds the page draws the controls, and the values of a link are known only when it has.
        is_of_page = is_one_turn()

        def drawn() -> None:
            with _turn(is_of_page):
                rows = _drawing()
                rows.read[name] = None
                with noting() as read:
                    draw(*map(_asked, given), **{key: _asked(value) for key, value in named.items()})
                # Of a run that is to give way, this ends it: the browser may not be sent what it has drawn.
                rows = _drawing()
                rows.read[name] = read

        st.fragment(key=name)(drawn)()

    return placed


def _asked(given: Any) -> Any:
    return given.read() if isinstance(given, Source) else given


@contextmanager
def _turn(is_of_page: bool) -> Iterator[None]:
    """A row that is drawn by itself begins as a page does."""
    if _whole.get():
        yield
        return
    if pending.is_waiting():
        st.rerun()
    with turn_of_rows() if is_of_page else one_turn():
        speak_on()
        restore_parameters()
        yield
    pending.mark_sent()
    mark_parameters_sent()


def changes(act: Callable[P, object] | None = None, control: str = "") -> Callable[P, None]:
    """A callback that calls `act` and then redraws the rows that the change concerns.

    control: of the widget; a value that code has set, or that it had before, is no choice, and nothing is done with it.
    """

    def called(*given: P.args, **named: P.kwargs) -> None:
        is_chosen = pending.is_chosen(control)
        _restore()
        if act is not None and is_chosen:
            act(*given, **named)
        st.rerun(_concerned(_drawn_rows()) or [_NONE])

    return called


def _restore() -> None:
    """Set what rows carried again where a request that left the browser before them has lost it."""
    restore_parameters()
    if not pending.is_waiting():
        pending.restore()


def _drawn_rows() -> _Rows:
    """The rows of a page that has been drawn; the page is drawn first where it has not."""
    rows: _Rows | None = st.session_state.get(_ROWS)
    if rows is None or rows.reader != _reader() or pending.is_waiting():
        st.rerun()
    return rows


def _concerned(rows: _Rows) -> list[str]:
    """The rows that read something that has another value now."""
    with one_turn():
        return [name for name, read in rows.read.items() if read is None or changed(read)]
