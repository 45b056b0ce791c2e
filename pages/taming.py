"""Taming scores: a soft cap, QK-norm, a sink and a temperature that grows with the text, on the same scores."""

from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import taming

page.title("taming")
show(taming.ledger)
page.training_offer("taming")
show(taming.cap_lead)
with page.predict("leak", "nothing", "hidden", "flatter"):
    widgets("taming_cap", "taming_after")
    show(taming.cap)
show(taming.every_lead, taming.every, taming.norm_lead)
with page.predict("stretched", "both", "plain", "neither"):
    widgets("taming_stretch")
    show(taming.norm)
show(taming.sink_lead)
with page.predict("left_over", "match", "no_match", "alike"):
    widgets("taming_sink")
    show(taming.sink)
show(taming.length_lead)
with page.predict("drown", "same", "tenth", "nothing"):
    widgets("taming_n")
    show(taming.length)
