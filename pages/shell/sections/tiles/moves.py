"""Which tile is told, and the tiles of the scores of a run: the controls that go from one to the next."""

from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from attention.analysis.online_softmax import Tile, Tiled, last_scores
from attention.analysis.online_softmax import tiled as tiles_of
from attention.figures import matrix
from pages.shell import component
from pages.shell.component.player import player as draw_player
from pages.shell.component.strip import Told
from pages.shell.i18n import listed
from pages.shell.layout.rows import answers, row
from pages.shell.layout.widgets import widget
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.sources import Source, shared
from pages.shell.sections.tiles import telling
from pages.shell.state.config import looked_at
from pages.shell.state.pending import set_controls
from pages.shell.state.todays_controls import Tiles

_KEY = "tiles-player"
_HELD = ("tile_step", "field_position")

shown = Source(lambda: compute(looked_at("tiles", shared())))


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
        """The query that is told about: the one whose maximum makes what was there shrink most."""
        return self.tile.queries.start + int(_shrinks(self.tile).argmin())


def moves(run: Run) -> Moves:
    """The tiles that the controls ask for."""
    chosen = Tiles.current()
    scores, values = (
        matrix(step, **run.where).double().cpu() for step in (last_scores(run.trace), run.trace["values"])
    )
    tiled = tiles_of(run.trace, queries=chosen.tile_queries, keys=chosen.tile_keys, **run.where)
    return Moves(scores, values, tiled, min(chosen.tile_step, len(tiled.tiles)) or _strongest(tiled))


def _strongest(tiled: Tiled) -> int:
    """The tile, from 1, in which what was there shrinks most: shown as long as none is chosen."""
    least = [float(_shrinks(tile).min()) for tile in tiled.tiles]
    return least.index(min(least)) + 1


def _shrinks(tile: Tile) -> Tensor:
    """The factor of each query of a tile that had seen something before; 1 for the others."""
    return tile.factor.where(tile.maximum_before > -torch.inf, 1.0)


@row
def held() -> None:
    """Controls that are bound to the address and not to be seen: buttons and figures set them."""
    with st.container(key="tiles-held"):
        for name in _HELD:
            widget(name)


@row
def player(run: Run) -> None:
    """Back, play, next, and what the tile does to one query."""
    made, step = moves(run), Tiles.current().tile_step
    count = len(made.tiled.tiles)
    said = telling.sentence(run, made.tile, made.told_row, made.number)
    if not step:
        said = listed("sentence", (telling.lead(run, count), said))
    told = Told(made.number if step else 0, count, said)
    draw_player(_KEY, told, answers(_go))


def _go() -> None:
    choice = component.choice(_KEY)
    if "told" in choice:
        set_controls({"tile_step": Tiles.of({"tile_step": str(choice["told"])}).tile_step})
