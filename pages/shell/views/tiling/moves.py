"""Which tile is told, and the tiles of the scores of a run: the controls that go from one to the next."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from attention.analysis.online_softmax import Tile, Tiled, last_scores
from attention.analysis.online_softmax import tiled as tiles_of
from attention.figures import matrix
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Tiles
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.tiling import telling


@dataclass(frozen=True)
class Moves:
    """The tiles of the sentence and the head that a run shows, in float64; number: which of them is shown, from 1."""

    scores: Tensor
    values: Tensor
    tiled: Tiled
    number: int

    @property
    def tile(self) -> Tile:
        return self.tiled.tiles[self.number - 1]

    def of_row(self, row: int) -> Tile:
        """The tile of a row whose keys are those of the tile that is shown."""
        return next(each for each in self.tiled.tiles if row in each.queries and each.keys == self.tile.keys)

    def of_cell(self, row: int, column: int) -> Tile:
        return next(each for each in self.tiled.tiles if row in each.queries and column in each.keys)

    @property
    def told_row(self) -> int:
        """The query that is told about: of those of the tile, the one that a tile of theirs shrinks most. It stays the
        same from the first keys to the last."""
        own = [_shrinks(each) for each in self.tiled.tiles if each.queries == self.tile.queries]
        return self.tile.queries.start + int(torch.stack(own).amin(0).argmin())


def moves(screen: Screen) -> Moves:
    """The tiles that the controls ask for."""
    run, chosen = screen.run, screen.own(Tiles)
    scores, values = (
        matrix(step, **run.where).double().cpu() for step in (last_scores(run.trace), run.trace["values"])
    )
    tiled = tiles_of(run.trace, queries=chosen.tile_queries, keys=chosen.tile_keys, **run.where)
    return Moves(scores, values, tiled, min(chosen.tile_step or 1, len(tiled.tiles)))


def _shrinks(tile: Tile) -> Tensor:
    """The factor of each query of a tile that had seen something before; 1 for the others."""
    return tile.factor.where(tile.maximum_before > -torch.inf, 1.0)


def player(screen: Screen) -> Iterator[Block]:
    """Back, play, next, and what the tile does to one query."""
    made = moves(screen)
    said = telling.sentence(screen, made.tile, made.told_row)
    yield blocks.player(made.number, len(made.tiled.tiles), said, {"tile_step": "{told}"}, first=1)
