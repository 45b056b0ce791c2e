"""Parts of a page: what is moved in one redraws this part alone, and the page where other parts depend on it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import streamlit as st

from pages.shell import component
from pages.shell.i18n import speak_on
from pages.shell.state.changes import now, told
from pages.shell.state.controls import Controls
from pages.shell.state.fields import Choice, Range
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, OF_FIGURES
from pages.shell.state.settings import settings

_PAGE = "drawn_page"
# Sliders, which are moved often, and what figures set: where the page depends on one of them, it says so.
_OFTEN = OF_FIGURES | {
    name
    for name, knob in ALL_FIELDS.items()
    if name not in Reader.knobs() and (isinstance(knob, Range) or (isinstance(knob, Choice) and knob.ordered))
}
_RARELY = tuple(name for name in ALL_FIELDS if name not in _OFTEN)


@dataclass
class _Page:
    """A page while it is drawn, and as it was drawn. rarely: the settings that every page depends on; watched: what
    else it depends on, each as a function and what that answered; is_whole: whether it was drawn to its end."""

    rarely: tuple[str, ...]
    watched: list[tuple[Callable[[], Any], Any]] = field(default_factory=list)
    is_whole: bool = False

    def is_current(self) -> bool:
        return self.is_whole and self.rarely == _rarely() and all(now == of() for of, now in self.watched)


def _rarely() -> tuple[str, ...]:
    return tuple(map(now, _RARELY))


_drawn: ContextVar[_Page | None] = ContextVar("page", default=None)


@contextmanager
def whole_page() -> Iterator[None]:
    """Draw all parts of a page in here."""
    page = st.session_state[_PAGE] = _Page(_rarely())
    settings().drawn.clear()
    token = _drawn.set(page)
    try:
        yield
        page.is_whole = True
    finally:
        _drawn.reset(token)


def depends_on(of: "Callable[[], Any] | type[Controls]") -> None:
    """Draw the page again when this answers something else: what a part says of controls that stand elsewhere."""
    page = _drawn.get()
    if page is not None:
        ask = of.current if isinstance(of, type) and issubclass(of, Controls) else of
        page.watched.append((ask, ask()))


def part(draw: Callable[..., None]) -> Callable[..., None]:
    """Make a function that draws something a part of a page, drawn again by itself when a widget in it is moved.

    Its name is that of the function and of its arguments that are text: no two of a page are the same."""

    @wraps(draw)
    def placed(*given: Any, **named: Any) -> None:
        texts = (text for text in (*given, *named.values()) if isinstance(text, str))
        name = "-".join((draw.__module__.rpartition(".")[2], draw.__name__.strip("_"), *texts))

        def drawn() -> None:
            begin()
            draw(*given, **named)
            component.settings(f"plot-settings-{name}", told())

        st.fragment(key=name)(drawn)()

    return placed


def begin() -> None:
    """Begin a part: the whole page is drawn, and not the part alone, where it depends on what has changed."""
    if _drawn.get() is not None:
        return
    speak_on()
    page: _Page | None = st.session_state.get(_PAGE)
    if page is None or settings().page is not None or not page.is_current():
        st.rerun()
