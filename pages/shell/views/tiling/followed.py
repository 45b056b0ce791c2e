"""The effect of the shown tile on one query: its scores in memory, and its running numbers. These are the largest
score, and the sum and the output, whose old part shrinks before the tile's part joins."""

import math

import torch

from attention.analysis.online_softmax import Tile, Tiled
from pages.shell.component.followed import Chain, Followed
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs.run import Run
from pages.shell.views import naming
from pages.shell.views.tiling.moves import Moves

# Features of an output that there is room for.
FEATURES = 4


def followed(run: Run, made: Moves, on_the_way: Tiled, bound: float) -> Followed:
    """The followed query. on_the_way: tiles of one key, which pass all sums of larger tiles, so that the blocks of a
    query keep their scale in tiles of every size; bound: of the colours of outputs."""
    tile, row = made.tile, made.told_row
    at = row - tile.queries.start
    had = float(tile.maximum_before[at]) > -math.inf
    corrects = had and float(tile.factor[at]) < 1
    query = say("note.named", token=naming.apart(run.labels["query"])[row])
    held = 0 if tile.skipped else len(tile.keys)
    high = max(1.0, *(float(one.sum[row]) for one in on_the_way.tiles))
    return Followed(
        row,
        _largest(tile, at),
        _chain(run, made, at, high, bound),
        corrects,
        say("tiles.row.said", query=query, held=held, whole=len(run.labels["key"])),
        _instead(run, made),
        [fixed(one) if one > -math.inf else "" for one in tile.scores[at].tolist()],
        _new(tile, at),
        _why(tile, at) if corrects else "",
    )


def _chain(run: Run, made: Moves, at: int, high: float, bound: float) -> Chain:
    tile = made.tile
    had = float(tile.maximum_before[at]) > -math.inf
    old, blocks = _blocks(made)
    total, kept = float(tile.sum[at]), sum(blocks[: len(old)])
    left = tile.output_before[at] * tile.factor[at] if had else tile.output_before[at]
    now = tile.output[at]
    output = torch.stack([tile.output_before[at], left, now - left, now, now / (total or 1.0)])[:, :FEATURES]
    sums = [float(tile.sum_before[at]), kept, total - kept, total, 1.0]
    is_last = tile.keys.stop == len(run.labels["key"])
    # Numbers that do not exist yet stay empty. An output is divided by its sum at the end alone.
    there = [had, had, True, True, is_last and total > 0]
    return Chain(
        naming.apart(run.labels["key"])[: tile.keys.stop],
        old,
        blocks,
        high,
        total,
        output.numpy(),
        bound,
        [fixed(one) if is_there else "" for one, is_there in zip(sums, there, strict=True)],
        say("tiles.now.times", r=digits(float(tile.factor[at]), 2)) if had else "",
        say("tiles.chain.divided", sum=fixed(total)) if there[-1] else "",
        _sign(fixed(kept), fixed(total - kept), fixed(total)),
        [
            [fixed(one) for one in each] if is_there else []
            for each, is_there in zip(output.tolist(), there, strict=True)
        ],
        [say("tiles.chain.feature", number=number) for number in range(1, output.shape[-1] + 1)],
        is_last,
    )


def _sign(kept: str, new: str, total: str) -> str:
    """The sign between a sum and its result: numbers that are rounded one by one need not add up."""
    return "=" if f"{float(kept) + float(new):.2f}" == f"{float(total):.2f}" else "≈"


def _blocks(made: Moves) -> tuple[list[float], list[float]]:
    """The sum of the query as a block for each key: the heights before the tile, and after it with those of the tile.
    Each factor in the record of the tiles so far makes all earlier blocks smaller."""
    row, old, blocks = made.told_row, list[float](), list[float]()
    for one in made.tiled.tiles[: made.number]:
        if row not in one.queries:
            continue
        at, old = row - one.queries.start, blocks
        blocks = [block * float(one.factor[at]) for block in old] + one.powers[at].tolist()
    return old, blocks


def _largest(tile: Tile, at: int) -> str:
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    if after == -math.inf:
        return say("tiles.label.none")
    if -math.inf < before < after:
        return say("tiles.row.rises", before=fixed(before), after=fixed(after))
    return fixed(after)


def _instead(run: Run, made: Moves) -> str:
    """Why the followed query is not the chosen one: that is finished, or its tiles are still to come."""
    if not 0 <= made.chosen < len(run.labels["query"]) or made.chosen in made.tile.queries:
        return ""
    chosen = say("note.named", token=naming.apart(run.labels["query"])[made.chosen])
    if made.chosen < made.tile.queries.start:
        return say("tiles.row.finished", chosen=chosen)
    return say("tiles.row.later", chosen=chosen)


def _new(tile: Tile, at: int) -> int:
    if float(tile.maximum[at]) > float(tile.maximum_before[at]):
        return int(tile.scores[at].argmax())
    return -1


def _why(tile: Tile, at: int) -> str:
    """The origin of the factor."""
    before, after, r = (float(one[at]) for one in (tile.maximum_before, tile.maximum, tile.factor))
    return say("tiles.why", before=fixed(before), after=fixed(after), r=digits(r, 2))
