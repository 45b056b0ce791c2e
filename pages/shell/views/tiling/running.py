"""What is kept of each query after the tile that is shown: its maximum, its sum and its output so far."""

import math
from collections.abc import Iterator

import numpy as np
import torch

from attention.analysis.online_softmax import Tile, Tiled, tiled
from pages.shell.component.running import Box, Kept, Running
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Tiles
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.tiling.followed import followed
from pages.shell.views.tiling.memory import of_long_text
from pages.shell.views.tiling.moves import Moves, moves, name

_LABELS = (
    "queries",
    "maximum",
    "factor",
    "sum",
    "output",
    "gone",
    "skipped_here",
    "maximum_short",
    "sum_short",
    "output_short",
    "by_tiles",
    "usual",
    "usual_why",
    "old",
    "new",
    "was",
    "signs",
    "none",
    "kind",
    "keys",
)


def running(screen: Screen) -> Iterator[Block]:
    """The tile among the scores, what was seen before it, and beside each query the numbers that replace its row."""
    run, made, chosen = screen.run, moves(screen), screen.own(Tiles)
    scores = made.scores.masked_fill(made.scores == -math.inf, math.nan).numpy()
    skipped = _skipped(made)
    # Key by key: what larger tiles keep is among it, so that bars keep their scale in tiles of every size.
    on_the_way = tiled(run.trace, queries=len(scores), keys=1, **run.where)
    yield blocks.figures(
        Running(
            "tiles-running",
            say("tiles.now.title"),
            _said(made, bool(skipped)),
            run.labels["query"],
            run.labels["key"],
            scores,
            _box(made.tile),
            (chosen.tile_queries, chosen.tile_keys),
            next((_box(one) for one in reversed(made.tiled.tiles[: made.number - 1]) if not one.skipped), None),
            skipped,
            kept(made),
            followed(run, made, chosen),
            _size(scores),
            _maxima(on_the_way),
            max(float(one.sum.max()) for one in on_the_way.tiles) or 1.0,
            _finished(made),
            _size(made.values.numpy()),
            {label: say(f"tiles.label.{label}") for label in _LABELS} | {"held": _held(made)},
            _computed(made) / made.scores.numel(),
            [
                {"tile_row": str(row + 1), "tile_at": name(made.of_row(row)), "tile_step": ""}
                for row in range(len(scores))
            ],
            made.number,
        )
    )


def _finished(made: Moves) -> float:
    """The largest number of the finished outputs, not divided by their sums: the same in tiles of every size."""
    last = {one.queries: one for one in made.tiled.tiles}
    return max(float(one.output.abs().max()) for one in last.values()) or 1.0


def _computed(made: Moves) -> int:
    """How many scores are in memory."""
    return 0 if made.tile.skipped else made.tile.scores.numel()


def _held(made: Moves) -> str:
    return say("tiles.now.held", held=_computed(made), whole=made.scores.numel())


def _said(made: Moves, some_skipped: bool) -> str:
    """What stands for the scores that are not in memory, and how many these are in a long text."""
    if not some_skipped:
        return of_long_text()
    case = "skipped" if made.tile.skipped else "some_skipped"
    return listed("sentence", (say(f"tiles.instead.{case}"), of_long_text()))


def _skipped(made: Moves) -> list[Box]:
    """The tiles that the mask hides wholly: those side by side as one."""
    found: list[Box] = []
    for one in made.tiled.tiles:
        if not one.skipped:
            continue
        first, last, start, end = _box(one)
        if found and found[-1][0] == first and found[-1][3] == start:
            start = found.pop()[2]
        found.append((first, last, start, end))
    return found


def _box(tile: Tile) -> Box:
    return tile.queries.start, tile.queries.stop, tile.keys.start, tile.keys.stop


def kept(made: Moves) -> list[Kept | None]:
    """Of each query, what the last of the tiles so far that reads it has left."""
    last: dict[int, Tile] = {}
    for tile in made.tiled.tiles[: made.number]:
        last |= dict.fromkeys(tile.queries, tile)
    return [_of(last[row], row, last[row] is made.tile) if row in last else None for row in range(len(made.scores))]


def _of(tile: Tile, row: int, is_shown: bool) -> Kept | None:
    at = row - tile.queries.start
    maximum, total, r = float(tile.maximum[at]), float(tile.sum[at]), float(tile.factor[at])
    if maximum == -math.inf:
        return None
    written = fixed(maximum), fixed(total)
    if not is_shown:
        return Kept(maximum, total, tile.output[at].numpy(), written, total, total)
    before, highest = float(tile.sum_before[at]), float(tile.maximum_before[at])
    had = highest > -math.inf and not tile.skipped
    factor = say("tiles.now.times", r=digits(r, 2)) if had else ""
    return Kept(
        maximum, total, tile.output[at].numpy(), written, before, before * r, had and r < 1, factor, maximum > highest
    )


def _maxima(on_the_way: Tiled) -> tuple[float, float]:
    """The lowest and the highest of all maxima on the way, and 0 among them."""
    every = torch.cat([one.maximum for one in on_the_way.tiles])
    found = [0.0, *every[every.isfinite()].tolist()]
    return (min(found), max(found)) if any(found) else (0.0, 1.0)


def _size(z: np.ndarray) -> float:
    """The largest magnitude; 1 where there is none."""
    return float(np.nan_to_num(np.abs(z)).max()) or 1.0
