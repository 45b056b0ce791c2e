"""A tile in numbers: its place among the scores, its part in memory, the running numbers and the output so far."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attention.analysis.online_softmax import Tile
from attention.analysis.online_softmax import last_scores as scores_of
from attention.explain import running
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap, heatmap_of
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import blocks, explained, steps
from pages.shell.views.blocks import Block
from pages.shell.views.captions import head
from pages.shell.views.explained import ExplainedHeatmap
from pages.shell.views.tiling.moves import Moves, moves
from pages.shell.views.tiling.telling import places

# The running numbers: their letters, and their names in a record of a tile.
_RUNNING = {"m′": "maximum_before", "m": "maximum", "r": "factor", "l′": "sum_before", "l": "sum"}
# The most names below the axis of a chart that do not overlap.
_MOST_TICKS = 16


def tile(screen: Screen) -> Iterator[Block]:
    """The shown tile, and the arithmetic of the followed query."""
    run, made = screen.run, moves(screen)
    yield from explained.row(
        screen, "tiles", _scores(run, made), _powers(run, made), _running(run, made), _output(run, made)
    )
    at = made.told_row
    own = made.tile
    if not own.skipped:
        within = at - own.queries.start
        for letter in ("m", "r", "l"):
            yield blocks.formula(_told(own, within, at, letter).latex)


def course(screen: Screen) -> Iterator[Block]:
    """The running numbers of the followed query, tile after tile."""
    run, made = screen.run, moves(screen)
    at = made.told_row
    own = [each for each in made.tiled.tiles if at in each.queries]
    within = at - own[0].queries.start
    ends = [each.keys.stop for each in own]
    series = [
        Series(
            say(f"tiles.line.{name}"),
            ends,
            [float(getattr(each, name)[within]) for each in own],
            colour=colour,
            dash=colour,
        )
        for colour, name in enumerate(("maximum", "sum"))
    ]
    factors = [float(each.factor[within]) if math.isfinite(each.maximum_before[within]) else math.nan for each in own]
    series.append(Series(say("tiles.line.factor"), ends, factors, "dots", colour=2))
    jumps = sum(0 <= factor < 1 for factor in factors)
    note = say("tiles.course.note", query=run.labels["query"][at], tiles=len(own), jumps=jumps)
    x = Axis(say("tiles.course.keys"), ticks=ends[:: 1 + len(ends) // _MOST_TICKS], range=(0, ends[-1] + 0.5))
    chart = Chart("tiles-course", say("tiles.course.title"), series, x, Axis(say("tiles.course.number")), note)
    yield blocks.figures(chart)


def _scores(run: Run, made: Moves) -> ExplainedHeatmap:
    step, own = scores_of(run.trace), made.tile
    drawn = heatmap(step, **run.where, forbidden=steps.forbidden(run, step))
    named = say("tiles.tile")
    note = say(
        "tiles.scores_note", queries=places(own.queries), keys=places(own.keys), tile=_shape(own), whole=drawn.z.size
    )
    figure = Figure(
        drawn,
        say("tiles.scores"),
        *_sides(run, "key"),
        note,
        block=(own.queries, own.keys),
        named=named,
        part=head(run),
    )
    return ExplainedHeatmap(
        run, figure, lambda row, column: cell(run.trace, step.id, row, column, **run.where), run.labels
    )


def _shape(own: Tile) -> str:
    return f"{len(own.queries)} × {len(own.keys)} = {own.scores.numel()}"


def _powers(run: Run, made: Moves) -> ExplainedHeatmap:
    own = made.tile
    z, here = torch.zeros_like(made.scores), torch.zeros_like(made.scores, dtype=torch.bool)
    block = slice(own.queries.start, own.queries.stop), slice(own.keys.start, own.keys.stop)
    z[block], here[block] = own.powers, not own.skipped
    drawn = heatmap_of("tile-powers", z, "query", "key", "probability", forbidden=~here, hidden=0.0)
    note = say("tiles.powers_skipped" if own.skipped else "tiles.powers_note", count=own.scores.numel())
    figure = Figure(drawn, say("tiles.powers"), *_sides(run, "key"), note, absent=say("tiles.absent"), part=head(run))

    def explain(row: int, column: int) -> Explanation:
        at = made.of_cell(row, column)
        score, after = made.scores[row, column], at.maximum[row - at.queries.start]
        return running.power(row, column, float(score), float(after))

    return ExplainedHeatmap(run, figure, explain, run.labels)


def _running(run: Run, made: Moves) -> ExplainedHeatmap:
    own = made.tile
    z = torch.full((len(made.scores), len(_RUNNING)), -math.inf, dtype=torch.float64)
    for column, name in enumerate(_RUNNING.values()):
        z[own.queries.start : own.queries.stop, column] = getattr(own, name)
    drawn = heatmap_of("tile-running", z, "query", "running", forbidden=z == -math.inf)
    names = list(_RUNNING)
    figure = Figure(
        drawn,
        say("tiles.running"),
        run.labels["query"],
        names,
        say("tiles.running_note"),
        absent=say("tiles.none"),
        part=head(run),
    )

    def explain(row: int, column: int) -> Explanation:
        at = made.of_row(row)
        return _told(at, row - at.queries.start, row, names[column])

    return ExplainedHeatmap(run, figure, explain, _key_labels(run, own))


def _output(run: Run, made: Moves) -> ExplainedHeatmap:
    own, final = made.tile, made.tiled.output
    # Queries before this tile are finished, those after it have not begun.
    z = final.clone()
    rows = slice(own.queries.start, own.queries.stop)
    z[rows] = own.output / own.sum.masked_fill(own.sum == 0, 1)[:, None]
    later = torch.zeros_like(z, dtype=torch.bool)
    later[own.queries.stop :] = True
    drawn = heatmap_of("tile-output", z, "query", "value", forbidden=later, bound=float(final.abs().max()))
    far = float((z[rows] - final[rows]).abs().max())
    note = say("tiles.output_note", queries=places(own.queries), difference=apart(far))
    figure = Figure(drawn, say("tiles.output"), *_sides(run, "value"), note, absent=say("tiles.later"), part=head(run))

    def explain(row: int, column: int) -> Explanation:
        at = made.of_row(row) if row >= own.queries.start else _last(made, row)
        within, values = row - at.queries.start, _values(made.values, at)[:, column]
        before, r, l = at.output_before[within, column], at.factor[within], at.sum[within]
        return running.output(row, column, float(r), float(before), at.powers[within], values, float(l))

    return ExplainedHeatmap(run, figure, explain, _key_labels(run, own))


def _told(at: Tile, within: int, row: int, letter: str) -> Explanation:
    """The arithmetic of a running number of a query. within: its place in the tile; row: among all queries."""
    before, after = float(at.maximum_before[within]), float(at.maximum[within])
    match letter:
        case "m":
            return running.maximum(row, before, at.scores[within])
        case "r":
            return running.factor(row, before, after)
        case "l":
            return running.total(row, float(at.factor[within]), float(at.sum_before[within]), at.powers[within])
        case "m′":
            return running.carried("m", row, before)
    return running.carried("l", row, float(at.sum_before[within]))


def _last(made: Moves, row: int) -> Tile:
    return [each for each in made.tiled.tiles if row in each.queries][-1]


def _values(values: Tensor, at: Tile) -> Tensor:
    return values[at.keys.start : at.keys.stop]


def _key_labels(run: Run, own: Tile) -> dict[str, tuple[str, ...]]:
    """The names along the operands of a tile: its own keys."""
    return {**run.labels, "key": run.labels["key"][own.keys.start : own.keys.stop]}


def _sides(run: Run, columns: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return run.labels["query"], run.labels.get(columns, ())
