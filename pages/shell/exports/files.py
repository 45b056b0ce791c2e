"""The files of a screen: a script, a notebook, all tensors, tables for a spreadsheet, worksheets; and the exercises."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from attention.exercises.writing import archive
from attention.export.backward import backward_notebook, backward_script
from attention.export.script import notebook, script
from attention.export.tables import csv_archive, npz
from pages.shell.exports import worksheet
from pages.shell.i18n import say
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.trained.request import place_of
from pages.shell.screen import Screen
from pages.shell.state.changes import at_first
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Backward, Models, Walkthrough
from pages.shell.state.registry import BY_PAGE, HOME
from pages.shell.state.url import written
from pages.shell.views.gradients import OF
from pages.shell.views.steps import focus_of


@dataclass(frozen=True)
class File:
    """A file to download."""

    name: str
    mime: str
    body: bytes


@dataclass(frozen=True)
class Order:
    """An order for a file. address: that of the app, with a slash at its end; sheets: the number of worksheets."""

    screen: Screen
    address: str = "/"
    sheets: int = 1

    @property
    def goal(self) -> Goal | None:
        """The number whose gradients the screen shows; None where it shows none."""
        if self.screen.page == "backward":
            asked = self.screen.own(Backward)
            return Goal.of(asked.goal, asked.goal_at)
        shown = self.screen.own(Walkthrough)
        return Goal.of("cell", shown.backward_of) if self.screen.page == HOME and shown.backward else None

    @property
    def link(self) -> str:
        """The address of the screen, with the settings that differ from an untouched page."""
        held = [self.screen.own(one) for one in (Config, BY_PAGE[self.screen.page])]
        chosen = {
            name: written(value)
            for controls in held
            for name, value in controls.values().items()
            if written(value) != at_first(name, self.screen.page)
        }
        page = "" if self.screen.page == HOME else self.screen.page
        return f"{self.address}{page}?{urlencode(chosen)}"

    @property
    def heading(self) -> str:
        """The source of the numbers: the link that shows them, and the tokens."""
        tokens = (f"{number}: {' '.join(sentence)}" for number, sentence in enumerate(self.screen.run.inputs.tokens, 1))
        return "\n".join([say("takeaway.heading", self.screen.language), self.link, *tokens])


def _code(plain: Callable[..., str], with_gradients: Callable[..., str]) -> Callable[[Order], str]:
    """The writer of code that computes the steps, and the gradients if the screen shows them."""

    def made(order: Order) -> str:
        run, goal = order.screen.run, order.goal
        titles = {row.id: say(f"step.{row.id}.title", order.screen.language) for row in ROWS}
        if goal is None:
            return plain(run.trace, titles=titles, heading=order.heading)
        found = backward.found(run, goal, focus_of(run))
        read_by = {id: found.read_by(id) for id in found.gradients}
        gradient = {
            f"{OF}{id}": say("backward.gradient", order.screen.language, title=one) for id, one in titles.items()
        }
        return with_gradients(found.forward, found.gradients, read_by, titles=titles | gradient, heading=order.heading)

    return made


def _tables(order: Order) -> bytes:
    run = order.screen.run
    return csv_archive(run.trace, **run.where, labels=run.labels)


def _worksheets(order: Order) -> str:
    config, language = order.screen.run.config, order.screen.language
    return worksheet.made(config, order.sheets, language, order.link, order.goal is not None)


def _exercises(order: Order) -> bytes:
    """The exercises, which are the same for every screen; without links to the app if its address is not known."""
    return archive("" if order.address == "/" else order.address)


@dataclass(frozen=True)
class _Kind:
    ending: str
    mime: str
    make: Callable[[Order], str | bytes]


KINDS: dict[str, _Kind] = {
    "script": _Kind(".py", "text/x-python", _code(script, backward_script)),
    "notebook": _Kind(".ipynb", "application/x-ipynb+json", _code(notebook, backward_notebook)),
    "npz": _Kind(".npz", "application/octet-stream", lambda order: npz(order.screen.run.trace)),
    "csv": _Kind("-csv.zip", "application/zip", _tables),
    "worksheet": _Kind(".html", "text/html", _worksheets),
    "exercises": _Kind(".zip", "application/zip", _exercises),
}


def made(kind: str, order: Order) -> File:
    """A file of the screen. LookupError: the page shows a model that is not loaded."""
    body = KINDS[kind].make(order)
    return File(_name(kind, order), KINDS[kind].mime, body.encode() if isinstance(body, str) else body)


def _name(kind: str, order: Order) -> str:
    """The name of the file: preset and seed, and sentence and head if the file holds no others."""
    if kind == "exercises":
        return "attention-exercises.zip"
    run = order.screen.run
    if kind == "worksheet":
        return worksheet.name(run.config, order.sheets)
    if order.screen.page == "models":
        asked = order.screen.own(Models)
        layer, head = place_of(asked)
        return f"attention-{asked.model}-layer{layer + 1}-head{head + 1}{KINDS[kind].ending}"
    shown = f"-sentence{run.sentence + 1}-head{run.head + 1}" if kind == "csv" else ""
    gradients = "-backward" if order.goal and kind in ("script", "notebook") else ""
    return f"attention-{run.config.preset}-seed{run.config.seed}{shown}{gradients}{KINDS[kind].ending}"
