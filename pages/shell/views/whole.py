"""All weights of a long text as tiles, and a part of them large enough to be read, with the arithmetic of a cell."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.long_text import whole as whole_of
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.fields import Choice
from pages.shell.state.page_controls import TILES, Walkthrough
from pages.shell.views import blocks, captions, explained, steps
from pages.shell.views.blocks import Block

# The address's name of this part of a page.
PLACE = "whole"


@dataclass(frozen=True)
class Part:
    """The large part: rows and columns of the weights, from 0; tile: the rows and columns of a tile."""

    rows: range
    columns: range
    tile: int

    @property
    def frame(self) -> tuple[range, range]:
        """The tiles that the part touches."""
        first, last = ([each[at] // self.tile for each in (self.rows, self.columns)] for at in (0, -1))
        return range(first[0], last[0] + 1), range(first[1], last[1] + 1)


def part(queries: int, keys: int, chosen: Walkthrough) -> Part:
    """The part around the chosen tile, moved back if it would reach beyond the weights."""
    tile = math.ceil(max(queries, keys) / TILES)
    size = int(chosen.zoom)
    tiles = (queries, chosen.zoom_row), (keys, chosen.zoom_column)
    rows, columns = (_around((at - 1) * tile + tile // 2, size, count) for count, at in tiles)
    return Part(rows, columns, tile)


def _around(middle: int, size: int, count: int) -> range:
    first = max(0, min(middle - size // 2, count - size))
    return range(first, min(first + size, count))


def tiles(weights: Tensor, size: int) -> Tensor:
    """The largest weight of each tile of size × size, from (rows, columns); tiles at the ends may have fewer cells."""
    found = torch.nn.functional.max_pool2d(weights[None, None].float(), size, ceil_mode=True)
    return found[0, 0]


def whole(screen: Screen) -> Iterator[Block]:
    """A click on a tile shows it large, a click on a weight its arithmetic."""
    run, chosen = whole_of(screen.run), screen.own(Walkthrough)
    weights = run.matrix("weights").cpu()
    queries, keys = weights.shape
    shown = part(queries, keys, chosen)
    sizes: dict[str, Any] = {"queries": queries, "keys": keys}
    lead = say("whole.lead", tile=shown.tile, **sizes) if shown.tile > 1 else say("whole.lead_one", **sizes)
    yield blocks.text(lead)
    overview, zoomed = _tiles(screen.run, weights, shown), _zoomed(run, weights, shown)
    drawn = blocks.figures(overview, zoomed.figure, click={"cell": f"{{figure}}.{{row}}.{{column}}.{PLACE}"})
    # The chosen cell belongs to the part that was large before.
    leads = {"zoom_row": "{row_number}", "zoom_column": "{column_number}", "cell": ""}
    yield blocks.clicked(drawn, {overview.heatmap.id: leads})
    yield blocks.buttons(*_sizes(chosen))
    place = screen.place
    if place is not None and (place.figure, place.part) == (zoomed.figure.heatmap.id, PLACE):
        rows, columns = zoomed.figure.heatmap.z.shape
        if place.row < rows and place.column < columns:
            yield blocks.panel(zoomed.panel(place.row, place.column), closes=True)


def _sizes(chosen: Walkthrough) -> Iterator[tuple[str, bool, blocks.Settings]]:
    held = Walkthrough.knobs()["zoom"]
    assert isinstance(held, Choice)
    for size in held.options:
        sets = {"zoom": "" if size == Walkthrough.zoom else size, "cell": ""}
        yield say("whole.size", size=size), chosen.zoom == size, sets


def _tiles(run: Run, weights: Tensor, shown: Part) -> Figure:
    drawn = heatmap_of("tiles", tiles(weights, shown.tile), "query", "key", "probability")
    count = shown.tile
    ends = [f"{1 + count * at}–{count * (at + 1)}" if count > 1 else str(1 + at) for at in range(max(drawn.z.shape))]
    title = say("whole.tiles", head=captions.head(run)) if run.module.heads > 1 else say("whole.tiles_one")
    rows, columns = (ends[:size] for size in drawn.z.shape)
    most = say("whole.tile_note", tile=count) if count > 1 else ""
    return Figure(drawn, title, rows, columns, most, block=shown.frame, named=say("whole.part"))


def _zoomed(run: Run, weights: Tensor, shown: Part) -> explained.ExplainedHeatmap:
    rows, columns = (slice(each.start, each.stop) for each in (shown.rows, shown.columns))
    hides = steps.forbidden(run, run.trace["weights"])
    hidden = None if hides is None else hides.cpu()[rows, columns]
    drawn = heatmap_of("zoomed", weights[rows, columns], "query", "key", "probability", forbidden=hidden, hidden=0.0)
    names = run.labels["query"][rows], run.labels["key"][columns]
    place: dict[str, Any] = {"first": shown.rows.start + 1, "last": shown.rows.stop}
    place |= {"from": shown.columns.start + 1, "to": shown.columns.stop}
    sums = weights[rows, columns].sum(-1)
    note = say("whole.sums", least=fixed(sums.min()), most=fixed(sums.max()))
    figure = Figure(drawn, say("whole.zoomed", **place), *names, note)
    return explained.ExplainedHeatmap(run, figure, partial(_explained, run, shown), run.labels)


def _explained(run: Run, shown: Part, row: int, column: int) -> Explanation:
    return cell(run.trace, "weights", shown.rows[row], shown.columns[column], **run.where)
