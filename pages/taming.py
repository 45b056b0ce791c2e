"""Taming scores: a soft cap, QK-norm, a sink and a temperature that grows with the text, on the same scores."""

from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections import taming

page.title("taming")
page.ledger(taming.shown)
taming.heading("cap")
with page.predict("leak", "nothing", "hidden", "flatter"):
    widgets("taming_cap", "taming_after")
    taming.cap(taming.shown)
taming.heading("every")
taming.every(taming.shown, taming.chosen)
taming.heading("norm")
with page.predict("stretched", "both", "plain", "neither"):
    widgets("taming_stretch")
    taming.norm(taming.shown)
taming.heading("sink")
with page.predict("left_over", "match", "no_match", "alike"):
    widgets("taming_sink")
    taming.sink(taming.shown)
taming.heading("length")
with page.predict("drown", "same", "tenth", "nothing"):
    widgets("taming_n")
    taming.length()
