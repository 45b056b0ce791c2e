"""The tiles of a run's scores, the one that is shown, and the controls that go from one to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from torch import Tensor

from attention.analysis.online_softmax import Tile, Tiled, last_scores
from attention.analysis.online_softmax import tiled as tiles_of
from attention.figures import matrix
from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Tiles
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.tiling import telling


@dataclass(frozen=True)
class Moves:
    """The tiles of the sentence and the head that a run shows, in float64. number: the shown tile, from 1; open: the
    scores before the mask; chosen: the chosen query, from 0, −1 for none."""

    scores: Tensor
    values: Tensor
    tiled: Tiled
    number: int
    open: Tensor
    chosen: int

    @property
    def tile(self) -> Tile:
        return self.tiled.tiles[self.number - 1]

    def of_row(self, row: int) -> Tile:
        """The tile of a row with the keys of the shown tile."""
        return next(each for each in self.tiled.tiles if row in each.queries and each.keys == self.tile.keys)

    def of_cell(self, row: int, column: int) -> Tile:
        return next(each for each in self.tiled.tiles if row in each.queries and column in each.keys)

    @property
    def told_row(self) -> int:
        """The followed query: the chosen one, in tiles that have it, else the one whose largest score without a mask is
        farthest above its first. That one is the same in all tiles of a row of tiles, under every mask and in tiles of
        every width, so that it stays while the tiles play."""
        rows = self.tile.queries
        if self.chosen in rows:
            return self.chosen
        scores = self.open[rows.start : rows.stop]
        return rows.start + int((scores.amax(-1) - scores[:, 0]).argmax())


def moves(screen: Screen) -> Moves:
    """The tiles that the controls ask for."""
    run, chosen = screen.run, screen.own(Tiles)
    scores, values, before = (
        matrix(step, **run.where).double().cpu()
        for step in (last_scores(run.trace), run.trace["values"], run.trace["scaled"])
    )
    tiled = tiles_of(run.trace, queries=chosen.tile_queries, keys=chosen.tile_keys, **run.where)
    number = _at(tiled, chosen.tile_at) or min(chosen.tile_step or 1, len(tiled.tiles))
    return Moves(scores, values, tiled, number, before, chosen.tile_row - 1)


def names(tiles: Sequence[Tile]) -> list[str]:
    """The names of tiles in links: a tile's first score, where tiles of another size have a tile, too. The last tile is
    named by its last score, so that the end stays the end."""
    *others, end = tiles
    return [_place(one.queries.start, one.keys.start) for one in others] + [
        _place(end.queries.stop - 1, end.keys.stop - 1)
    ]


def _place(row: int, column: int) -> str:
    return f"scores.{row}.{column}"


def _at(tiled: Tiled, named: str) -> int:
    """The number of the tile that has the named score, from 1; 0 without one."""
    if not named:
        return 0
    row, column = map(int, named.split(".")[1:3])
    found = (at for at, one in enumerate(tiled.tiles, start=1) if row in one.queries and column in one.keys)
    return next(found, 0)


def player(screen: Screen) -> Iterator[Block]:
    """Back, play, next, and the effect of the tile on one query; on the last tile the question, while it is open."""
    made = moves(screen)
    tiles = made.tiled.tiles
    is_asked = made.number == len(tiles) and telling.waits(screen)
    said = say("tiles.told.asks") if is_asked else telling.sentence(screen.run, made.tile, made.told_row)
    sets = {"tile_at": "{value}", "tile_step": "", **telling.keeps(screen)}
    yield blocks.player(
        made.number, len(tiles), said, sets, first=1, values=names(tiles), counts=say("tiles.told.tile")
    )
