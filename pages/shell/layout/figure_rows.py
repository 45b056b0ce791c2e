"""Rows of heatmaps that are not steps; each cell can still be explained."""

from functools import partial

from pages.shell import component
from pages.shell.component.heatmap import Figure
from pages.shell.layout import cell_panel
from pages.shell.layout.cell import Cell, address, point_at
from pages.shell.layout.rows import changes
from pages.shell.views.explained import (
    Caption,
    ExplainedHeatmap,
    Labels,
    Moved,
    explained_heatmap,
    span,
    transposed,
)

__all__ = ["Caption", "ExplainedHeatmap", "Labels", "Moved", "explained_heatmap", "row", "span", "transposed"]


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
