"""One screen: all settings of an address, each limited to a valid value, and the run that they ask for."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self, TypeVar

from attention.figures import LIMIT
from pages.shell.i18n import speaking
from pages.shell.runs import of_page
from pages.shell.runs.run import Run
from pages.shell.state.config import Config, looked_at, looks
from pages.shell.state.controls import Controls
from pages.shell.state.unset import unset

C = TypeVar("C", bound=Controls)
# Settings that choose which part of a run is shown; they change no number.
VIEW = ("sentence", "head", "device")
# The part of a cell that a click on a word names: only the row counts, and its largest weight is highlighted.
WORD = "word"


@dataclass(frozen=True)
class Place:
    """A cell as an address names it: figure, row and column, from 0, and the part of the page. It need not exist."""

    figure: str
    row: int
    column: int
    part: str = ""

    @classmethod
    def of(cls, text: str) -> Self | None:
        """The cell of a text `figure.row.column.part`; None for any other text."""
        figure, row, column, part, *_ = (*text.split(".", 3), "", "", "")
        if not (row.isdecimal() and column.isdecimal()) or len(row + column) > 8:
            return None
        return cls(figure, int(row), int(column), part)


@dataclass(frozen=True)
class Screen:
    """A page with its settings. parameters: name to text, as in an address; language: a key of `LANGUAGES`; earlier:
    the parameters before the last change of a setting, None before the first change."""

    page: str
    parameters: Mapping[str, str]
    language: str = "en"
    earlier: Mapping[str, str] | None = None

    def own(self, controls: type[C]) -> C:
        """A set of controls of the screen, each with the nearest valid value."""
        return controls.of({**unset(self.page), **self.parameters})

    @cached_property
    def config(self) -> Config:
        """The shared controls as the page looks at them; controls that the page ignores have their defaults."""
        config = self.own(Config)
        return looked_at(self.page, config) if looks(self.page) else config

    @cached_property
    def run(self) -> Run:
        """The run that the page shows."""
        with speaking(self.language):
            return of_page.run(self.page, self.config, self.own)

    @cached_property
    def before(self) -> Run | None:
        """The run before the last change, with the sentence and head of this screen; None where no number changed."""
        if self.earlier is None:
            return None
        view = {name: self.parameters[name] for name in VIEW if name in self.parameters}
        kept = {name: text for name, text in self.earlier.items() if name not in VIEW}
        before = Screen(self.page, kept | view, self.language)
        if before.config.preset != self.config.preset or before.config == self.config:
            return None
        return before.run

    @cached_property
    def place(self) -> Place | None:
        """The cell that the address names; None for none."""
        return Place.of(self.parameters.get("cell", ""))

    def step_at(self, run: Run | None = None) -> Place | None:
        """The named cell if it is a drawn cell of a step of a run, else None. run: None for the screen's own."""
        run, place = run or self.run, self.place
        if place is None or place.figure not in run.trace or not run.trace[place.figure].axes:
            return None
        rows, columns = run.matrix(place.figure).shape
        return place if place.row < min(rows, LIMIT) and place.column < min(columns, LIMIT) else None

    def query(self, run: Run | None = None) -> int | None:
        """The query of the row of the named cell; None if its row is not that of a query."""
        run = run or self.run
        place = self.step_at(run)
        return place.row if place and "query" in run.trace[place.figure].axes else None
