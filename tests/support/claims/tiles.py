"""What is claimed of tiles."""

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


@claim("tiles.field.wrong", "tiles.field")
def _(screen: Screen, values: Values) -> bool:
    (model,) = (one for one in PUBLISHED if one.name == values["model"])
    every_layer = model.windowed == model.layers == number(values["layers"])
    return every_layer and number(values["reach"]) == model.layers * (model.window - 1) + 1
