"""The sentence about a tile: what it does to the maximum, the sum and the output of one query."""

from attention.analysis.online_softmax import Tile
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed, interval
from pages.shell.runs.run import Run


def sentence(run: Run, tile: Tile, row: int, number: int) -> str:
    """The sentence about the tile with this number, from 1, and a query of it."""
    place = {"queries": places(tile.queries), "keys": places(tile.keys)}
    said = [say("tiles.told.place", number=number, **place), _done(run, tile, row - tile.queries.start, row)]
    if tile.keys.stop == len(run.labels["key"]):
        said.append(say("tiles.told.last"))
    return listed("sentence", said)


def places(these: range) -> str:
    """Positions as people count them."""
    return interval(str(these.start + 1), str(these.stop))


def _done(run: Run, tile: Tile, at: int, row: int) -> str:
    if tile.skipped:
        return say("tiles.told.skipped")
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    query = say("note.named", token=run.labels["query"][row])
    added = float(tile.powers[at].sum())
    if after == float("-inf"):
        return say("tiles.told.nothing", query=query)
    numbers = {"query": query, "after": fixed(after), "added": fixed(added), "sum": fixed(tile.sum[at])}
    if before == float("-inf"):
        return say("tiles.told.first", **numbers)
    old = {"old": fixed(tile.sum_before[at])}
    if after == before:
        return say("tiles.told.stays", **numbers, **old)
    r, shrunk = float(tile.factor[at]), float(tile.factor[at] * tile.sum_before[at])
    return say("tiles.told.jumps", before=fixed(before), r=fixed(r, 3), shrunk=fixed(shrunk), **numbers, **old)
