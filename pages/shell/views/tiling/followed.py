"""What the tile that is shown does to one query: what was kept, times r, and what the tile adds to it; and how far its
output is on the way to that of softmax over the whole row."""

import math

import numpy as np

from attention.analysis.online_softmax import Tile
from attention.figures import matrix
from pages.shell.component.running import Followed
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.state.todays_controls import Tiles
from pages.shell.views.tiling.memory import compared
from pages.shell.views.tiling.moves import Moves

# Outputs that differ by no more, which is rounding, are the same.
_SAME = 1e-9


def followed(run: Run, made: Moves, chosen: Tiles) -> Followed:
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
    results = (output / (after or 1.0)).numpy(), _usual(run, row)
    return Followed(row, sums, written, outputs, _why(run, tile, at, row), results, *_reached(run, made, chosen))


def _usual(run: Run, row: int) -> np.ndarray:
    """The output of a row as the record has it."""
    return matrix(run.trace["output"], **run.where)[row].double().cpu().numpy()


def _reached(run: Run, made: Moves, chosen: Tiles) -> tuple[str, bool]:
    """How many keys the output is of, and at the last of them whether it is that of the record."""
    seen, every = made.tile.keys.stop, len(run.labels["key"])
    if seen < every:
        return say("tiles.now.reached", seen=seen, all=every), False
    *_, far = compared(run.config, learned.used(run.config), chosen.tile_queries, chosen.tile_keys)
    agrees = float(far[made.told_row]) < _SAME
    return say("tiles.label.agrees") if agrees else say("tiles.label.differs"), agrees


def _why(run: Run, tile: Tile, at: int, row: int) -> tuple[str, str]:
    """Where r comes from, in full and in short."""
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    query = say("note.named", token=run.labels["query"][row])
    if tile.skipped or before == -math.inf:
        return (say(f"tiles.unmoved.{'skipped' if tile.skipped else 'first'}", query=query),) * 2
    told = {"query": query, "before": fixed(before), "after": fixed(after), "r": digits(float(tile.factor[at]), 2)}
    return say("tiles.why.full", **told), say("tiles.why.short", **told)
