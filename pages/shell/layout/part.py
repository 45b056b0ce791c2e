"""Parts of a page: moving a widget redraws its part, and the parts that depend on it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import streamlit as st

from pages.shell import component
from pages.shell.i18n import speak_on
from pages.shell.state.changes import at_first, told
from pages.shell.state.controls import Controls
from pages.shell.state.fields import Choice, Range
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, OF_FIGURES
from pages.shell.state.settings import settings

_PAGE = "drawn_page"
# Settings that change often: sliders, and settings of figures. A part that depends on one declares it by `depends_on`;
# all parts depend on the other settings.
_OFTEN = OF_FIGURES | {
    name
    for name, knob in ALL_FIELDS.items()
    if name not in Reader.knobs() and (isinstance(knob, Range) or (isinstance(knob, Choice) and knob.ordered))
}
_RARELY = tuple(name for name in ALL_FIELDS if name not in _OFTEN)


@dataclass
class _Page:
    """A page as it was drawn. rarely: the values of the settings that all parts depend on; watched: by part, the other
    things that it depends on, each a function and its last answer; due: the parts that have yet to be drawn again;
    is_whole: whether the page was drawn to its end."""

    rarely: tuple[str, ...]
    watched: dict[str, list[tuple[Callable[[], Any], Any]]] = field(default_factory=dict)
    due: set[str] = field(default_factory=set)
    is_whole: bool = False

    def is_current(self) -> bool:
        """Whether parts of the page can be drawn by themselves."""
        return self.is_whole and self.rarely == _rarely() and settings().page is None

    def outdated(self) -> set[str]:
        """The parts that depend on something that has changed."""
        return {part for part, watched in self.watched.items() if any(was != of() for of, was in watched)}

    def drawing(self, part: str) -> None:
        self.watched.pop(part, None)
        self.due.discard(part)


def _rarely() -> tuple[str, ...]:
    texts = settings().texts
    return tuple(texts.get(name, at_first(name)) for name in _RARELY)


_drawn: ContextVar[_Page | None] = ContextVar("page", default=None)
_part: ContextVar[str] = ContextVar("part", default="")


@contextmanager
def whole_page() -> Iterator[None]:
    """Draw all parts of a page in this context."""
    page = st.session_state[_PAGE] = _Page(_rarely())
    settings().drawn.clear()
    token = _drawn.set(page)
    try:
        yield
        page.is_whole = True
    finally:
        _drawn.reset(token)


def depends_on(of: "Callable[[], Any] | type[Controls]") -> None:
    """Draw this part again when `of` returns another answer, if the part shows controls of other parts."""
    page: _Page | None = st.session_state.get(_PAGE)
    if page is not None:
        ask = of.current if isinstance(of, type) and issubclass(of, Controls) else of
        page.watched.setdefault(_part.get(), []).append((ask, ask()))


def part(draw: Callable[..., None]) -> Callable[..., None]:
    """Decorate a function that draws: it becomes a part of the page, drawn again by itself when its widget is moved.

    The name of the part is that of the function and of its text arguments; it must be unique on a page.
    """
    return _placed(draw, sets=True)


def dependent(draw: Callable[..., None]) -> Callable[..., None]:
    """As `part`, but without widgets: drawn again when its dependencies change. It may be empty."""
    return _placed(draw, sets=False)


def _placed(draw: Callable[..., None], *, sets: bool) -> Callable[..., None]:
    @wraps(draw)
    def placed(*given: Any, **named: Any) -> None:
        texts = (text for text in (*given, *named.values()) if isinstance(text, str))
        name = "-".join((draw.__module__.rpartition(".")[2], draw.__name__.strip("_"), *texts))

        def drawn() -> None:
            with begun(name):
                draw(*given, **named)
                # In a run of the whole page frame.py does this once: each further element slows every run.
                if sets and _drawn.get() is None:
                    component.settings(told())

        st.fragment(key=name)(drawn)()

    return placed


@contextmanager
def begun(name: str) -> Iterator[None]:
    """Draw a part in this context; rerun the whole page instead if all of it depends on the change."""
    page: _Page | None = st.session_state.get(_PAGE)
    if _drawn.get() is None:
        speak_on()
        if page is None or not page.is_current() or page.outdated() - page.due - {name}:
            st.rerun()
    if page is not None:
        page.drawing(name)
        settings().clears(name)
    token = _part.set(name)
    try:
        yield
    finally:
        _part.reset(token)


def here() -> str:
    """The name of the part that is being drawn; "" between parts."""
    return _part.get()


def redraw(name: str) -> None:
    """At the end of a callback, redraw the touched part, the parts whose widgets code has set, and the parts that
    depend on a change. Streamlit does it by itself for the touched part alone, and for the whole page."""
    page: _Page | None = st.session_state.get(_PAGE)
    if page is None or not page.is_current():
        return
    page.due |= {name} | page.outdated() | settings().outdated
    if page.due != {name}:
        st.rerun(sorted(page.due))
