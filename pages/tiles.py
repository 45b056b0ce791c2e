"""Tiles: softmax(QKᵀ)V without the matrix of scores, and what a window sees over several layers."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.sections import tile_sides
from pages.shell.views import tiling

FIELD = ("field_width", "field_layers", "field_global")

with st.container(key="foremost"):
    page.title("tiles")
    with page.predict("tiles", below=True), st.container(key="running"):
        show(tiling.player)
        tile_sides.sides()
        show(tiling.running)
page.training_offer("tiles")
with drawer("tile", tiling.tile):
    show(tiling.tile, tiling.course)
with drawer("same"):
    show(tiling.same)
with drawer("needed", tiling.needed):
    show(tiling.needed)
with drawer("field", *FIELD):
    show(tiling.field_lead)
    with page.predict("field"):
        widgets(*FIELD)
        show(tiling.fan)
with drawer("numbers"):
    show(tiling.ledger)
