"""What the tile that is shown does to the numbers of one query: its largest score, and its sum, of which what was kept
shrinks, and the powers of the tile join."""

import math

from attention.analysis.online_softmax import Tile
from pages.shell.component.running import Followed
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs.run import Run
from pages.shell.views.tiling.moves import Moves


def followed(run: Run, made: Moves) -> Followed:
    """The query that is told about."""
    tile, row = made.tile, made.told_row
    at = row - tile.queries.start
    before, total, r = (float(one[at]) for one in (tile.sum_before, tile.sum, tile.factor))
    had = float(tile.maximum_before[at]) > -math.inf
    # Of what is skipped the record has no factor of its own.
    left = before if tile.skipped else before * r
    corrects = had and left < before
    query = say("note.named", token=run.labels["query"][row])
    return Followed(
        row,
        before,
        left,
        total,
        corrects,
        _largest(tile, at, query),
        (
            _old(before, r, corrects) if had else "",
            _new(total - left, had),
            say("tiles.sum.all", sum=fixed(total)) if total else "",
        ),
        _why(tile, at) if corrects else "",
    )


def _old(before: float, r: float, corrects: bool) -> str:
    if not corrects:
        return say("tiles.sum.stays", before=fixed(before))
    return say("tiles.sum.shrinks", before=fixed(before), r=digits(r, 2))


def _new(added: float, had: bool) -> str:
    if added <= 0:
        return ""
    return say("tiles.sum.more" if had else "tiles.sum.first", added=fixed(added))


def _largest(tile: Tile, at: int, query: str) -> str:
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    case = "none" if after == -math.inf else "first" if before == -math.inf else "stays" if after == before else "jumps"
    return say(f"tiles.largest.{case}", query=query, before=fixed(before), after=fixed(after))


def _why(tile: Tile, at: int) -> str:
    """Where the factor comes from."""
    before, after, r = (float(one[at]) for one in (tile.maximum_before, tile.maximum, tile.factor))
    return say("tiles.why", before=fixed(before), after=fixed(after), r=digits(r, 2))
