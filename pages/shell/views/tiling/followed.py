"""What the tile that is shown does to one query: its scores that are in memory, and what is kept of it: the largest
score, and the sum and the output, of which what was kept shrinks, and what the tile brings joins."""

import math

import torch
from torch import Tensor

from attention.analysis.online_softmax import Tile, Tiled
from pages.shell.component.followed import Followed, Gauge
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs.run import Run
from pages.shell.views.tiling.moves import Moves


def followed(run: Run, made: Moves, on_the_way: Tiled) -> Followed:
    """The query that is told about. on_the_way: all of them key by key: what larger tiles keep is among it, so that
    the bars of a query keep their scale in tiles of every size."""
    tile, row = made.tile, made.told_row
    at = row - tile.queries.start
    before, total, r = (float(one[at]) for one in (tile.sum_before, tile.sum, tile.factor))
    had = float(tile.maximum_before[at]) > -math.inf
    # Of what is skipped the record has no factor of its own.
    shrinks = 1.0 if tile.skipped or not had else r
    left = before * shrinks
    corrects = had and left < before
    query = say("note.named", token=run.labels["query"][row])
    held = 0 if tile.skipped else len(tile.keys)
    return Followed(
        row,
        _of_largest(tile, at, [float(one.maximum[row]) for one in on_the_way.tiles]),
        Gauge([before], [left], [total], 0.0, max(float(one.sum[row]) for one in on_the_way.tiles), [_number(total)]),
        _of_output(tile, at, shrinks, [one.output[row] for one in on_the_way.tiles]),
        corrects,
        say("tiles.row.said", query=query, held=held, whole=len(run.labels["key"])),
        _instead(run, made),
        [fixed(one) if one > -math.inf else "" for one in tile.scores[at].tolist()],
        _new(tile, at),
        (
            say("tiles.sum.before", before=fixed(before)) if corrects else "",
            _old(before, r, corrects) if had else "",
            _brought(total - left, had),
        ),
        _why(tile, at) if corrects else "",
    )


def _of_largest(tile: Tile, at: int, on_the_way: list[float]) -> Gauge:
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    # What is not there has no bar.
    drawn = [one if one > -math.inf else 0.0 for one in (before, after)]
    ends = [one for one in on_the_way if one > -math.inf]
    written = fixed(after) if after > -math.inf else say("tiles.label.none")
    if -math.inf < before < after:
        written = say("tiles.row.rises", before=fixed(before), after=fixed(after))
    return Gauge([drawn[0]], [drawn[0]], [drawn[1]], min([0.0, *ends]), max([0.0, *ends]), [written])


def _of_output(tile: Tile, at: int, shrinks: float, on_the_way: list[Tensor]) -> Gauge:
    """As it is kept: not yet divided by the sum."""
    before, after = tile.output_before[at], tile.output[at]
    ends = torch.stack(on_the_way).flatten().tolist()
    bars = [one.tolist() for one in (before, before * shrinks, after)]
    return Gauge(bars[0], bars[1], bars[2], min([0.0, *ends]), max([0.0, *ends]), [_number(one) for one in bars[2]])


def _number(kept: float) -> str:
    return fixed(kept) if kept else say("tiles.label.none")


def _instead(run: Run, made: Moves) -> str:
    """Why another query is followed than the one that was chosen: it is finished, or its tiles are still to come."""
    if not 0 <= made.chosen < len(run.labels["query"]) or made.chosen in made.tile.queries:
        return ""
    chosen = say("note.named", token=run.labels["query"][made.chosen])
    if made.chosen < made.tile.queries.start:
        return say("tiles.row.finished", chosen=chosen)
    return say("tiles.row.later", chosen=chosen)


def _new(tile: Tile, at: int) -> int:
    if float(tile.maximum[at]) > float(tile.maximum_before[at]):
        return int(tile.scores[at].argmax())
    return -1


def _old(before: float, r: float, corrects: bool) -> str:
    if not corrects:
        return say("tiles.sum.stays", before=fixed(before))
    return say("tiles.sum.shrinks", r=digits(r, 2))


def _brought(added: float, had: bool) -> str:
    if added <= 0:
        return ""
    return say("tiles.sum.more" if had else "tiles.sum.first", added=fixed(added))


def _why(tile: Tile, at: int) -> str:
    """Where the factor comes from."""
    before, after, r = (float(one[at]) for one in (tile.maximum_before, tile.maximum, tile.factor))
    return say("tiles.why", before=fixed(before), after=fixed(after), r=digits(r, 2))
