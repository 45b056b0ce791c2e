"""Heatmaps that are not steps, but whose cells can still be explained."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from torch import Tensor

from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap
from attention.inputs.names import along as names_along
from attention.trace import Step, Trace
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed
from pages.shell.i18n.numbers import fixed, interval
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import blocks, rules
from pages.shell.views.blocks import Block
from pages.shell.views.captions import part
from pages.shell.views.panel import Panel, named

Explain = Callable[[int, int], Explanation]


@dataclass(frozen=True)
class Caption:
    """The title and the note of a figure. id: tells it from its neighbours."""

    id: str
    title: str
    note: str = ""


@dataclass(frozen=True)
class Moved:
    """The numbers of a step in another layout than in its record.

    at: from a row and a column of the figure to those of the record; by_column: a row of scores is a column here.
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

    explain: the arithmetic of its cell at a row and a column (from 0); labels: the names along the axes of operands.
    """

    run: Run
    figure: Figure
    explain: Explain
    labels: Mapping[str, Sequence[str]]

    def panel(self, row: int, column: int) -> Panel:
        drawn = self.figure.heatmap
        explained = self.explain(row, column).drawn_as(float(drawn.z[row, column]))
        sides = (drawn.rows, self.figure.rows, row), (drawn.columns, self.figure.columns, column)
        place = listed("comma", (named(*side) for side in sides))
        return Panel(self.figure.title, place, rules.sentence(self.run, explained, row, column), explained, self.labels)


def row(screen: Screen, key: str, *shown: ExplainedHeatmap) -> Iterator[Block]:
    """Figures side by side, and below them the arithmetic of the cell that the address names in one of them.

    key: the address's name of this part of the page.
    """
    yield blocks.figures(*(each.figure for each in shown), click={"cell": f"{{figure}}.{{row}}.{{column}}.{key}"})
    place = screen.place
    for each in shown:
        drawn = each.figure.heatmap
        if place is None or (place.figure, place.part) != (drawn.id, key):
            continue
        if place.row < drawn.z.shape[0] and place.column < drawn.z.shape[1]:
            yield blocks.panel(each.panel(place.row, place.column), closes=True)


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
    where: Mapping[str, int] | None = None,
) -> ExplainedHeatmap:
    """A step of any record, for the sentence and the head that a run shows.

    forbidden and bound: as in `attention.figures.heatmap`; moved: None for the step as it is; labels: None for the
    tokens of the run; where: the sentence and the head of the record, if they are not those of the run.
    """
    at_home = where or run.where
    drawn = heatmap(moved.step if moved else trace[step], **at_home, forbidden=forbidden, bound=bound)
    labels = labels or Labels(run.labels, run.labels)
    rows, columns = (names_along(labels.drawn, step, axis) for axis in (drawn.rows, drawn.columns))

    def explain(row: int, column: int) -> Explanation:
        at = moved.at(row, column) if moved else (row, column)
        explained = cell(trace, step, *at, **at_home)
        return replace(explained, rule=f"{explained.rule}_column") if moved and moved.by_column else explained

    shown = part(run, trace[step]) if where is None else ""
    figure = Figure(replace(drawn, id=caption.id), caption.title, rows, columns, caption.note, part=shown)
    return ExplainedHeatmap(run, figure, explain, labels.operands)


def span(sums: Tensor) -> str:
    """The smallest and the largest sum; one number if they agree."""
    if sums.isnan().any():
        return "NaN"
    return interval(fixed(sums.min()), fixed(sums.max()))
