"""Tiles: softmax(QKᵀ)V without the matrix of scores, and what a window sees over several layers."""

from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections.tiles import field, figures, memory, moves

page.title("tiles")
page.ledger(moves.shown)
moves.held()
widgets("tile_queries", "tile_keys")
moves.player(moves.shown)
figures.tile(moves.shown)
figures.course(moves.shown)
with page.predict("tiles", "same", "approximate", "depends"):
    memory.same(moves.shown)
memory.memory(moves.shown)
field.lead()
with page.predict("field", "four", "seven", "eight"):
    widgets("field_width", "field_layers", "field_global")
    field.fan(moves.shown)
