"""All views by name: functions from a screen to the blocks of a part of a page."""

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.i18n import LANGUAGES, speaking
from pages.shell.runs.results import Experiment
from pages.shell.screen import Screen
from pages.shell.state.registry import BY_PAGE
from pages.shell.views.blocks import Block
from pages.shell.views.prose import sent

Draw = Callable[[Screen], Iterable[Block]]
VIEWS: dict[str, "View"] = {}


class UnknownViewError(ValueError):
    """A request for a view, a page or a language that does not exist."""


class NotYetError(Exception):
    """A view needs a computation that takes longer than an answer may: a task of the page does it. experiment: the
    computation, if it can be done without the page."""

    def __init__(self, experiment: Experiment[Any] | None = None) -> None:
        self.experiment = experiment
        super().__init__()


@dataclass(frozen=True)
class View:
    """A part of a page. name: `page.part`, by which it is requested; draw: a pure function of the screen."""

    name: str
    draw: Draw

    def __post_init__(self) -> None:
        if self.name in VIEWS:
            raise ValueError(f"two views are called {self.name!r}")
        VIEWS[self.name] = self

    def blocks(self, screen: Screen) -> list[Block]:
        """The blocks of a screen, in its language; none if there is nothing to show."""
        with speaking(screen.language):
            return list(self.draw(screen))


def view(draw: Draw) -> View:
    """Make a function a view, named after its module and itself."""
    return View(f"{draw.__module__.rpartition('.')[2]}.{draw.__name__}", draw)


def named(name: str) -> Callable[[Draw], View]:
    """As `view`, under another name, for a page whose views stand in several modules."""
    return lambda draw: View(name, draw)


def answered(
    page: str,
    names: Sequence[str],
    parameters: Mapping[str, str],
    language: str,
    before: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The blocks of some views, each with the stamp of its content; `pending` for one that waits for a task.

    before: as `Screen.earlier`. UnknownViewError: a page, a language or a view that does not exist.
    """
    asked = screen(page, parameters, language, before)
    for name in names:
        _check("view", name, VIEWS)
    return {"views": {name: _shown(VIEWS[name], asked) for name in names}}


def screen(page: str, parameters: Mapping[str, str], language: str, before: Mapping[str, str] | None = None) -> Screen:
    """The requested screen. UnknownViewError: a page or a language that does not exist."""
    _check("page", page, BY_PAGE)
    _check("language", language, LANGUAGES)
    return Screen(page, parameters, language, before)


def _check(what: str, given: str, choices: Iterable[str]) -> None:
    if given not in choices:
        raise UnknownViewError(f"unknown {what} {given[:60]!r}; one of {', '.join(choices)}")


def _shown(one: View, screen: Screen) -> dict[str, Any]:
    try:
        travelling = [sent(block) for block in one.blocks(screen)]
    except NotYetError:
        return {"pending": True}
    written = json.dumps(travelling, separators=(",", ":")).encode()
    return {"stamp": f"{zlib.crc32(written):08x}", "blocks": travelling}
