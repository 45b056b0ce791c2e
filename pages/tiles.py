"""Tiles: softmax(QKᵀ)V without the matrix of scores, and what a window sees over several layers."""

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import tiling

FIELD = ("field_width", "field_layers", "field_global")

page.title("tiles")
show(tiling.ledger)
page.training_offer("tiles")
widgets("tile_queries", "tile_keys")
show(tiling.player, tiling.tile, tiling.course)
with page.predict("tiles", "same", "approximate", "depends"):
    show(tiling.same)
show(tiling.needed)
with drawer("field", *FIELD):
    show(tiling.field_lead)
    with page.predict("field", "four", "seven", "eight"):
        widgets(*FIELD)
        show(tiling.fan)
