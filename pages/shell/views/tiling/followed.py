"""What the tile that is shown does to one query: what was kept, times r, and what the tile adds to it."""

import math

from attention.analysis.online_softmax import Tile
from pages.shell.component.running import Followed
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs.run import Run
from pages.shell.views.tiling.moves import Moves


def followed(run: Run, made: Moves) -> Followed:
    """The query that is told about, part by part."""
    tile, row = made.tile, made.told_row
    at = row - tile.queries.start
    r, had = float(tile.factor[at]), float(tile.maximum_before[at]) > -math.inf
    before, after = float(tile.sum_before[at]), float(tile.sum[at])
    output_before, output = tile.output_before[at], tile.output[at]
    left = before * r if had else 0.0
    is_empty = float(tile.maximum[at]) == -math.inf
    sums = (
        before if had else None,
        left if had else None,
        None if tile.skipped else after - left,
        None if is_empty else after,
    )
    kept = output_before * r if had else output_before * 0
    outputs = [one.numpy() for one in (output_before, kept, output - kept, output)]
    written = [say("tiles.label.none") if one is None else fixed(one) for one in sums]
    return Followed(row, sums, written, outputs, _why(run, tile, at, row))


def _why(run: Run, tile: Tile, at: int, row: int) -> tuple[str, str]:
    """Where r comes from, in full and in short."""
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    query = say("note.named", token=run.labels["query"][row])
    if tile.skipped or before == -math.inf:
        return (say(f"tiles.unmoved.{'skipped' if tile.skipped else 'first'}", query=query),) * 2
    told = {"query": query, "before": fixed(before), "after": fixed(after), "r": digits(float(tile.factor[at]), 2)}
    return say("tiles.why.full", **told), say("tiles.why.short", **told)
