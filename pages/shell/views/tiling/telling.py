"""The sentence about a tile: what it does to the maximum, the sum and the output of one query."""

from attention.analysis.online_softmax import Tile
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, fixed, interval
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Tiles
from pages.shell.views.tiling.memory import SAME, compared


def sentence(screen: Screen, tile: Tile, row: int) -> str:
    """The sentence about a tile and a query of it."""
    run, chosen = screen.run, screen.own(Tiles)
    at = row - tile.queries.start
    done = _done(run, tile, at, row)
    if tile.keys.stop < len(run.labels["key"]):
        return done
    *_, far = compared(run.config, learned.used(run.config), chosen.tile_queries, chosen.tile_keys)
    if float(far[tile.queries.start : tile.queries.stop].max()) >= SAME:
        return done
    # What was corrected stands below the figure: in one line what has come of it all.
    last = say("tiles.told.last")
    return listed("sentence", (done, last)) if tile.skipped else last


def places(these: range) -> str:
    """Positions as people count them."""
    return interval(str(these.start + 1), str(these.stop))


def _done(run: Run, tile: Tile, at: int, row: int) -> str:
    if tile.skipped:
        return say("tiles.told.skipped")
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    query = say("note.named", token=run.labels["query"][row])
    if after == float("-inf"):
        return say("tiles.told.nothing", query=query)
    if before == float("-inf"):
        return say("tiles.told.first", query=query, after=fixed(after))
    if after == before:
        return say("tiles.told.stays", query=query, after=fixed(after))
    r = digits(float(tile.factor[at]), 2)
    return say("tiles.told.jumps", query=query, before=fixed(before), after=fixed(after), r=r)
