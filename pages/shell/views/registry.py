"""All views by name: functions from a screen to the blocks that show a part of a page."""

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
    """A question about a view, a page or a language that is not there."""


class NotYetError(Exception):
    """What a view shows has to be computed first, which takes longer than an answer may: a task of the page does it.
    experiment: what is to be computed, where that can be done without the page."""

    def __init__(self, experiment: Experiment[Any] | None = None) -> None:
        self.experiment = experiment
        super().__init__()


@dataclass(frozen=True)
class View:
    """A part of a page. name: `page.part`, under which it can be asked for; draw: a pure function of the screen."""

    name: str
    draw: Draw

    def __post_init__(self) -> None:
        if self.name in VIEWS:
            raise ValueError(f"two views are called {self.name!r}")
        VIEWS[self.name] = self

    def blocks(self, screen: Screen) -> list[Block]:
        """What it shows of a screen, in the language of the screen; nothing where it has nothing to show."""
        with speaking(screen.language):
            return list(self.draw(screen))


def view(draw: Draw) -> View:
    """Make a function a view, named after its module and itself."""
    return View(f"{draw.__module__.rpartition('.')[2]}.{draw.__name__}", draw)


def named(name: str) -> Callable[[Draw], View]:
    """As `view`, under another name: of a page whose views stand in several modules."""
    return lambda draw: View(name, draw)


def answered(
    page: str,
    names: Sequence[str],
    parameters: Mapping[str, str],
    language: str,
    before: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The blocks of some views, each with the stamp of what it shows; `pending` instead of one that waits for a task.

    before: as `Screen.earlier`. UnknownViewError: a page, a language or a view that is not there.
    """
    asked = screen(page, parameters, language, before)
    for name in names:
        _check("view", name, VIEWS)
    return {"views": {name: _shown(VIEWS[name], asked) for name in names}}


def screen(page: str, parameters: Mapping[str, str], language: str, before: Mapping[str, str] | None = None) -> Screen:
    """The screen that a question names. UnknownViewError: a page or a language that is not there."""
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
