"""Rows of heatmaps that are not steps; each cell can still be explained."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from torch import Tensor

from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap
from attention.inputs.names import along as names_along
from attention.trace import Step, Trace
from pages.shell import component
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed
from pages.shell.i18n.numbers import fixed, interval
from pages.shell.layout import cell_panel
from pages.shell.layout.cell import Cell, address, point_at
from pages.shell.layout.rows import changes
from pages.shell.runs.run import Run
from pages.shell.views import panel, rules
from pages.shell.views.captions import part

Explain = Callable[[int, int], Explanation]


@dataclass(frozen=True)
class Caption:
    """What a figure is called. id: tells it from its neighbours."""

    id: str
    title: str
    note: str = ""


@dataclass(frozen=True)
class Moved:
    """The numbers of a step elsewhere than in its record.

    at: from a row and a column of the figure to those of the record; by_column: a row of scores there is a column here.
    """

    step: Step
    at: Callable[[int, int], tuple[int, int]]
    by_column: bool = False


def transposed(step: Step, *, by_column: bool = False) -> Moved:
    """The numbers of a step whose rows are the columns of its record."""
    return Moved(step, lambda row, column: (column, row), by_column)


@dataclass(frozen=True)
class Labels:
    """The names along the axes of a figure, and along those of the operands of its cells."""

    drawn: Mapping[str, Sequence[str]]
    operands: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class ExplainedHeatmap:
    """A heatmap whose cells can be explained.

    explain: the arithmetic of a row and a column (from 0) of it; labels: the names along the axes of operands.
    """

    run: Run
    figure: Figure
    explain: Explain
    labels: Mapping[str, Sequence[str]]

    def panel(self, row: int, column: int) -> panel.Panel:
        drawn = self.figure.heatmap
        explained = self.explain(row, column).drawn_as(float(drawn.z[row, column]))
        sides = (drawn.rows, self.figure.rows, row), (drawn.columns, self.figure.columns, column)
        place = listed("comma", (panel.named(*side) for side in sides))
        return panel.Panel(
            self.figure.title, place, rules.sentence(self.run, explained, row, column), explained, self.labels
        )


def row(key: str, *figures: ExplainedHeatmap) -> None:
    """Draw figures side by side, and below them the arithmetic of the cell of one of them that the URL names."""
    drawn = [each.figure for each in figures]
    ids = tuple(figure.heatmap.id for figure in drawn)
    component.row(f"plot-{key}", *drawn, on_cell=partial(changes(_report), key, ids))
    for each in figures:
        if at := _cell(key, each.figure):
            cell_panel.show(each.panel(*at), key, Cell.close)


def _report(key: str, ids: tuple[str, ...]) -> None:
    """Put the cell that the browser reports, input from outside like any other, into the URL."""
    click = component.clicked(f"plot-{key}")
    if click is not None and click.figure in ids:
        point_at(click, key)


def _cell(key: str, figure: Figure) -> tuple[int, int] | None:
    """The row and the column of a figure that the URL names, if it has them."""
    match address():
        case [id, row, column, place] if (id, place) == (figure.heatmap.id, key):
            rows, columns = figure.heatmap.z.shape
            return (row, column) if row < rows and column < columns else None
    return None


def explained_heatmap(
    run: Run,
    trace: Trace,
    step: str,
    caption: Caption,
    *,
    forbidden: Tensor | None = None,
    bound: float | None = None,
    moved: Moved | None = None,
    labels: Labels | None = None,
) -> ExplainedHeatmap:
    """A step of any record, for the sentence and the head that a run shows.

    forbidden and bound: as in `attention.figures.heatmap`; moved: None for the step as it is; labels: None for the
    tokens of the run.
    """
    drawn = heatmap(moved.step if moved else trace[step], **run.where, forbidden=forbidden, bound=bound)
    labels = labels or Labels(run.labels, run.labels)
    rows, columns = (names_along(labels.drawn, step, axis) for axis in (drawn.rows, drawn.columns))

    def explain(row: int, column: int) -> Explanation:
        at = moved.at(row, column) if moved else (row, column)
        explained = cell(trace, step, *at, **run.where)
        return replace(explained, rule=f"{explained.rule}_column") if moved and moved.by_column else explained

    shown = part(run, trace[step])
    figure = Figure(replace(drawn, id=caption.id), caption.title, rows, columns, caption.note, part=shown)
    return ExplainedHeatmap(run, figure, explain, labels.operands)


def span(sums: Tensor) -> str:
    """From the smallest to the largest, one number where they are the same."""
    if sums.isnan().any():
        return "NaN"
    return interval(fixed(sums.min()), fixed(sums.max()))
