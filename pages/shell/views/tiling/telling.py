"""The sentence about a tile: what it does to the maximum, the sum and the output of one query."""

from attention.analysis.online_softmax import Tile
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, digits, fixed, interval
from pages.shell.runs.run import Run


def sentence(run: Run, tile: Tile, row: int) -> str:
    """The sentence about a tile and a query of it."""
    said = [_done(run, tile, row - tile.queries.start, row)]
    if tile.keys.stop == len(run.labels["key"]):
        said.append(say("tiles.told.last", far=apart(_apart_from_softmax(run, tile))))
    return listed("sentence", said)


def _apart_from_softmax(run: Run, tile: Tile) -> float:
    """How far the finished outputs of a tile are from those of the record, which softmax made of whole rows."""
    finished = tile.output / tile.sum.masked_fill(tile.sum == 0, 1)[:, None]
    whole = run.matrix("output")[tile.queries.start : tile.queries.stop].cpu()
    return float((finished - whole).abs().max())


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
    return say("tiles.told.jumps", query=query, r=digits(float(tile.factor[at]), 2))
