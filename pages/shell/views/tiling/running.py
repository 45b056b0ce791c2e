"""What is kept of each query after the tile that is shown: its maximum, its sum and its output so far."""

import math
from collections.abc import Iterator

import numpy as np

from attention.analysis.online_softmax import Tile
from pages.shell.component.running import Kept, Running
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.tiling.moves import Moves, moves


def running(screen: Screen) -> Iterator[Block]:
    """The tile among the scores, and beside each query the numbers that replace its row."""
    run, made = screen.run, moves(screen)
    own, scores = made.tile, made.scores.masked_fill(made.scores == -math.inf, math.nan).numpy()
    labels = {
        "queries": say("tiles.now.queries"),
        "maximum": say("tiles.now.maximum"),
        "sum": say("tiles.now.sum"),
        "output": say("tiles.now.output"),
        "none": say("tiles.now.none"),
        "kind": say("tiles.now.kind"),
        "keys": say("tiles.now.keys"),
    }
    held = 0 if own.skipped else own.scores.numel()
    yield blocks.figures(
        Running(
            "tiles-running",
            say("tiles.now.title"),
            say("tiles.now.skipped" if own.skipped else "tiles.now.note", held=held, whole=scores.size),
            run.labels["query"],
            run.labels["key"],
            scores,
            (own.queries.start, own.queries.stop, own.keys.start, own.keys.stop),
            kept(made),
            _size(scores),
            max(float(tile.sum.max()) for tile in made.tiled.tiles) or 1.0,
            _size(made.tiled.output.numpy()),
            labels,
        )
    )


def kept(made: Moves) -> list[Kept | None]:
    """Of each query, what the last of the tiles so far that reads it has left."""
    last: dict[int, Tile] = {}
    for tile in made.tiled.tiles[: made.number]:
        last |= dict.fromkeys(tile.queries, tile)
    return [_of(last[row], row - last[row].queries.start) if row in last else None for row in range(len(made.scores))]


def _of(tile: Tile, at: int) -> Kept | None:
    maximum, total = float(tile.maximum[at]), float(tile.sum[at])
    if maximum == -math.inf:
        return None
    return Kept(maximum, total, (tile.output[at] / total).numpy(), (fixed(maximum), fixed(total)))


def _size(z: np.ndarray) -> float:
    """The largest magnitude; 1 where there is none."""
    return float(np.nan_to_num(np.abs(z)).max()) or 1.0
