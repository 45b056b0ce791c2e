"""The selected cell: a parameter of the URL, so that a link points at a number, and the panel with its arithmetic."""

from dataclasses import dataclass

from attention.explain.cell import cell
from attention.figures import LIMIT
from attention.inputs.names import along
from attention.notation import IDS
from pages.shell import component
from pages.shell.i18n import listed, say
from pages.shell.i18n.vocabulary import called
from pages.shell.layout import cell_panel
from pages.shell.runs.run import Run
from pages.shell.state.config import Config
from pages.shell.state.parameters import parameter, set_parameter
from pages.shell.state.pending import set_controls
from pages.shell.views import panel, rules

PARAMETER = "cell"


def address() -> tuple[str, int, int, str] | None:
    """What the URL names: a figure, a row and a column (from 0), and the row of the page; whether or not they exist."""
    figure, row, column, place, *_ = (*parameter(PARAMETER).split(".", 3), "", "", "")
    if not (row.isdecimal() and column.isdecimal()) or len(row + column) > 8:
        return None
    return figure, int(row), int(column), place


def point_at(click: component.Click, place: str) -> None:
    """Put the cell that was clicked, in a row of the page, into the URL."""
    set_parameter(PARAMETER, f"{click.figure}.{click.row}.{click.column}.{place}")


@dataclass(frozen=True)
class Cell:
    """A row and a column (from 0) of the matrix that is shown of a step, in one chapter or wherever the step is."""

    step: str
    row: int
    column: int
    chapter: str = ""

    @classmethod
    def current(cls, run: Run) -> "Cell | None":
        """The cell that the URL names, when this run has it."""
        found = address()
        return cls._inside(run, *found) if found else None

    @staticmethod
    def report(key: str, chapter: str) -> None:
        """Put the cell that the browser reports, input from outside like any other, into the URL."""
        click = component.clicked(key)
        if click is None:
            return
        if click.sets and (name := click.sets[0]) in ("head", "mask", "mode"):
            set_controls({name: getattr(Config.of(dict([click.sets])), name)})
        if click.figure in IDS:
            point_at(click, chapter)

    @classmethod
    def _inside(cls, run: Run, step: str, row: int, column: int, chapter: str) -> "Cell | None":
        if step not in run.trace or not run.trace[step].axes:
            return None
        rows, columns = run.matrix(step).shape
        return (
            cls(step, row, column, chapter)
            if 0 <= row < min(rows, LIMIT) and 0 <= column < min(columns, LIMIT)
            else None
        )

    def query(self, run: Run) -> int | None:
        """The query whose row the cell stands in."""
        return self.row if "query" in run.trace[self.step].axes else None

    def stands(self, chapter: str, ids: tuple[str, ...]) -> bool:
        return self.step in ids and self.chapter in ("", chapter)

    def tell(self, run: Run, chapter: str) -> None:
        """The panel: where the cell stands, how its number came about, and the operands as a figure."""
        cell_panel.show(self.panel(run), chapter, self.close)

    def panel(self, run: Run) -> panel.Panel:
        explained = cell(run.trace, self.step, self.row, self.column, **run.where)
        title = say(f"step.{self.step}.title")
        why = rules.sentence(run, explained, self.row, self.column)
        return panel.Panel(title, self._place(run), why, explained, run.labels)

    @staticmethod
    def close() -> None:
        set_parameter(PARAMETER, "")

    def _place(self, run: Run) -> str:
        axes = run.trace[self.step].matrix_axes
        if not axes:
            # A number of each head.
            return panel.named("head", (), run.head)
        indices = (self.row, self.column)[-len(axes) :]
        return listed(
            "comma",
            (
                panel.named(called(self.step, axis), along(run.labels, self.step, axis), index)
                for axis, index in zip(axes, indices, strict=True)
            ),
        )
