"""The memory and the traffic of whole scores against tiles, and the output, which is the same for every size."""

from collections.abc import Iterator
from functools import lru_cache

import torch
from torch import Tensor

from attention.analysis import costs
from attention.analysis.online_softmax import tiled
from attention.analysis.rerun import rerun
from attention.figures import matrix
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart, binary, digits
from pages.shell.runs import learned
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import Tiles
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

_LENGTHS = tuple(2**exponent for exponent in range(4, 18))
# Queries and keys in a tile of FlashAttention on a graphics processor, about.
_SIDE = 128
# Queries in a tile, and a head of 64 features, for the bytes that are read and written.
_BLOCKS = (16, 64, 128)
_HEAD = costs.Layer(64, 1, 64)
_HALF, _SINGLE = 2, 4
# Bytes of an A100 with its larger memory: the fast memory of one of its processors, and the slow one beside all of them
# (Dao et al. 2022, section 2.1).
_FAST, _SLOW = 192 * 1024, 80 * 1024**3
# Outputs are the same if they differ by no more than this, which is rounding.
SAME = 1e-9


def same(screen: Screen) -> Iterator[Block]:
    """The output in tiles of several sizes against that of the record, in float64, and how many tiles are computed."""
    yield blocks.heading(say("tiles.same.title"))
    run, chosen = screen.run, screen.own(Tiles)
    whole = len(run.labels["query"]), len(run.labels["key"])
    rows = []
    for queries, keys in dict.fromkeys([(1, 1), (2, 3), (chosen.tile_queries, chosen.tile_keys), (7, 5), whole]):
        count, computed, far = compared(run.config, learned.used(run.config), queries, keys)
        rows.append(
            (
                f"{queries}\u00a0×\u00a0{keys}",
                count,
                computed,
                f"{min(queries, whole[0]) * min(keys, whole[1]):,}",
                apart(float(far.max())),
            )
        )
    yield blocks.table(
        *(say(f"tiles.same.column.{name}") for name in ("tile", "count", "computed", "kept", "far")), rows=rows
    )
    yield blocks.text(say("tiles.same.wrong"))


@lru_cache(maxsize=256)
def compared(config: Config, layer: object, queries: int, keys: int) -> tuple[int, int, Tensor]:
    """The run of a configuration in tiles: their number, the number of computed ones, and the largest difference of
    each query's output from the record. layer: the trained layer of the run, which may become another one.

    Kept, because tiles of one score take a tenth of a second, and do not change with the chosen sides.
    """
    run = compute(config)
    record = rerun(run.trace, dtype=torch.float64)
    found = tiled(record, queries=queries, keys=keys, **run.where)
    output = matrix(record["output"], **run.where).cpu()
    far = (found.output - output).abs().amax(-1)
    return len(found.tiles), sum(not tile.skipped for tile in found.tiles), far


def of_long_text() -> str:
    """The bytes of all scores of a head in the longest text, and of a tile of them."""
    whole, tile = map(binary, _of_longest())
    return say("tiles.now.long", n=f"{_LENGTHS[-1]:,}", whole=whole, side=_SIDE, tile=tile)


def memories() -> dict[str, dict[str, str | float]]:
    """Fast and slow memory: their names and sizes, and the share of each that the scores of the longest text take, in a
    tile and whole."""
    whole, tile = _of_longest()
    rooms = {"fast": (_FAST, tile), "slow": (_SLOW, whole)}
    return {
        name: {
            "called": say(f"tiles.room.name.{name}"),
            "size": binary(size),
            "held": say(f"tiles.room.held.{name}", held=binary(held)),
            "share": held / size,
        }
        for name, (size, held) in rooms.items()
    }


def _of_longest() -> tuple[float, float]:
    """Bytes of all scores of a head, and of a tile of them, at two bytes a score."""
    return costs.scores_bytes(1, _LENGTHS[-1], _HALF), _SIDE * _SIDE * _HALF


def memory(screen: Screen) -> Iterator[Block]:
    """Bytes of the scores of one head against those of a tile, as the text grows."""
    n, side = len(screen.run.labels["key"]), screen.own(Tiles)
    ours = min(side.tile_queries, len(screen.run.labels["query"])) * min(side.tile_keys, n) * _SINGLE
    whole = [costs.scores_bytes(1, length, _HALF) for length in _LENGTHS]
    tile = _SIDE * _SIDE * _SINGLE
    series = [
        Series(say("tiles.memory.scores"), _LENGTHS, whole, colour=1),
        Series(say("tiles.memory.tile", side=_SIDE), _LENGTHS, [tile] * len(_LENGTHS), colour=0, dash=1),
    ]
    note = say(
        "tiles.memory.note",
        n=n,
        here=binary(len(screen.run.labels["query"]) * n * _SINGLE),
        ours=binary(ours),
        long=f"{_LENGTHS[-1]:,}",
        most=binary(whole[-1]),
        side=_SIDE,
        tile=binary(tile),
    )
    x, y = Axis(say("tiles.memory.n"), log=True), Axis(say("tiles.memory.bytes"), log=True)
    title = say("tiles.memory.title")
    yield blocks.figures(Chart("tiles-memory", title, series, x, y, note), _traffic())
    yield blocks.text(say("tiles.traffic.wrong", queries=_SIDE, times=_moved_less(_SIDE)))


def _traffic() -> Chart:
    """Bytes that a head reads and writes: with all scores stored, and in tiles of few or more queries."""
    stored = [_HALF * costs.traffic(_HEAD, length) for length in _LENGTHS]
    series = [Series(say("tiles.traffic.stored"), _LENGTHS, stored, colour=1)]
    longest = {}
    for place, queries in enumerate(_BLOCKS):
        moved = [_HALF * costs.tiled_traffic(_HEAD, length, queries) for length in _LENGTHS]
        longest[queries] = binary(moved[-1])
        colour = (0, 2, 3)[place]
        series.append(
            Series(say("tiles.traffic.tiled", queries=queries), _LENGTHS, moved, colour=colour, dash=place + 1)
        )
    note = say(
        "tiles.traffic.note",
        d_k=_HEAD.d_k,
        n=f"{_LENGTHS[-1]:,}",
        stored=binary(stored[-1]),
        queries=_SIDE,
        tiled=longest[_SIDE],
        few=_BLOCKS[0],
        more=longest[_BLOCKS[0]],
    )
    x, y = Axis(say("tiles.memory.n"), log=True), Axis(say("tiles.traffic.bytes"), log=True)
    return Chart("tiles-traffic", say("tiles.traffic.title"), series, x, y, note)


def _moved_less(queries: int) -> str:
    """The factor by which tiles reduce the traffic of a head in the longest text."""
    return digits(costs.traffic(_HEAD, _LENGTHS[-1]) / costs.tiled_traffic(_HEAD, _LENGTHS[-1], queries), 2)
