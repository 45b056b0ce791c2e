"""Claims about tiles."""

import math

from attention.cache import PUBLISHED
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Tiles
from tests.support.claims.claim import Values, claim, number


@claim("tiles.memory.note", "tiles.memory", {}, {"tile_queries": 16, "tile_keys": 16})
def _(screen: Screen, values: Values) -> bool:
    queries, keys = (len(screen.run.labels[axis]) for axis in ("query", "key"))
    chosen = screen.own(Tiles)
    tile = 4 * min(chosen.tile_queries, queries) * min(chosen.tile_keys, keys)
    return _bytes(values["here"]) >= 0.99 * _bytes(values["ours"]) and math.isclose(
        _bytes(values["ours"]), tile, rel_tol=6e-3
    )


def _bytes(text: str) -> float:
    amount, unit = text.rsplit(" ", 1)
    return number(amount) * 1024.0 ** ("B", "KiB", "MiB", "GiB").index(unit)


@claim("tiles.laid", "tiles.running", {}, {"tile_queries": 3, "tile_keys": 2, "mask": "causal"}, {"preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    """The record in double precision and the tiles differ by rounding."""
    return number(values["far"]) < 1e-9


@claim("tiles.corrected", "tiles.running", {}, {"tile_queries": 3, "tile_keys": 2, "mask": "causal"}, {"tile_keys": 16})
def _(screen: Screen, values: Values) -> bool:
    """Over the scores themselves: how often the largest of a row rises from tile to tile."""
    scores, count = screen.run.matrix("masked" if "masked" in screen.run.trace else "scaled"), number(values["keys"])
    ends = [*range(int(count) - 1, scores.shape[-1] - 1, int(count)), scores.shape[-1] - 1]
    largest = scores.cummax(-1).values[:, ends]
    return number(values["count"]) == int(((largest[:, 1:] > largest[:, :-1]) & largest[:, :-1].isfinite()).sum())


@claim("tiles.field.wrong", "tiles.field")
def _(screen: Screen, values: Values) -> bool:
    (model,) = (one for one in PUBLISHED if one.name == values["model"])
    every_layer = model.windowed == model.layers == number(values["layers"])
    return every_layer and number(values["reach"]) == model.layers * (model.window - 1) + 1


@claim("tiles.now.long", "tiles.running")
def _(screen: Screen, values: Values) -> bool:
    """A score takes two bytes, in a tile, too."""
    n, side = number(values["n"]), number(values["side"])
    return math.isclose(_bytes(values["whole"]), 2 * n**2) and math.isclose(_bytes(values["tile"]), 2 * side**2)


@claim("tiles.now.held", "tiles.running", {}, {"tile_queries": 16, "tile_keys": 3}, {"mask": "causal", "tile_step": 4})
def _(screen: Screen, values: Values) -> bool:
    """A tile at the edge is smaller, and one that the mask hides is not computed."""
    chosen, (queries, keys) = screen.own(Tiles), (len(screen.run.labels[side]) for side in ("query", "key"))
    sides = [
        {min(side, count), count % side or side}
        for side, count in ((chosen.tile_queries, queries), (chosen.tile_keys, keys))
    ]
    held = {min(a, queries) * min(b, keys) for a in sides[0] for b in sides[1]}
    if "mask" in screen.run.trace and not screen.run.matrix("mask").all():
        held.add(0)
    return number(values["held"]) in held and number(values["whole"]) == queries * keys
