"""What the tile that is shown does to one query: what r is, and how far its output is on the way to that of softmax
over the whole row."""

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
from pages.shell.views.tiling.memory import SAME, compared
from pages.shell.views.tiling.moves import Moves


def followed(run: Run, made: Moves, chosen: Tiles) -> Followed:
    """The query that is told about."""
    tile, row = made.tile, made.told_row
    at = row - tile.queries.start
    results = (tile.output[at] / (float(tile.sum[at]) or 1.0)).numpy(), _usual(run, row)
    written = [", ".join(fixed(one) for one in each) for each in results]
    return Followed(row, _why(run, tile, at, row), results, written, *_reached(run, made, chosen))


def _usual(run: Run, row: int) -> np.ndarray:
    """The output of a row as the record has it."""
    return matrix(run.trace["output"], **run.where)[row].double().cpu().numpy()


def _reached(run: Run, made: Moves, chosen: Tiles) -> tuple[str, bool]:
    """How many keys the output is of, and at the last of them whether it is that of the record."""
    seen, every = made.tile.keys.stop, len(run.labels["key"])
    if seen < every:
        return say("tiles.now.reached", seen=seen, all=every), False
    *_, far = compared(run.config, learned.used(run.config), chosen.tile_queries, chosen.tile_keys)
    agrees = float(far[made.told_row]) < SAME
    return say("tiles.label.agrees") if agrees else say("tiles.label.differs"), agrees


def _why(run: Run, tile: Tile, at: int, row: int) -> tuple[str, str]:
    """Where r comes from, in full and in short."""
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    query = say("note.named", token=run.labels["query"][row])
    if tile.skipped or before in (-math.inf, after):
        case = "skipped" if tile.skipped else "first" if before == -math.inf else "stays"
        return (say(f"tiles.unmoved.{case}", query=query),) * 2
    told = {"query": query, "before": fixed(before), "after": fixed(after), "r": digits(float(tile.factor[at]), 2)}
    return say("tiles.why.full", **told), say("tiles.why.short", **told)
