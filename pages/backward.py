"""Backward: the gradient of a chosen number with respect to every step."""

from pages.shell.layout import page
from pages.shell.sections.backward import attribution, figures, lessons, takeaway, target, training

page.title("backward")
target.controls()
page.ledger(target.shown)
target.told(target.shown, target.found)
figures.pairs(target.shown, target.found, "projected", "w_o", "b_o")
figures.pairs(target.shown, target.found, "output", "concat")
with page.predict("hidden", "most", "little", "none"):
    figures.pairs(target.shown, target.found, "weights", "dropped", "sink")
    figures.pairs(target.shown, target.found, "scores", "scaled", "softcapped", "slopes", "bias", "biased", "masked")
lessons.jacobian(target.shown, target.found)
lessons.pairs(target.shown, target.found)
lessons.scaled(target.shown, target.found)
figures.pairs(target.shown, target.found, "queries_normed", "keys_normed", "g_q", "g_k")
figures.pairs(target.shown, target.found, "queries_rotated", "keys_rotated")
figures.pairs(target.shown, target.found, "queries", "keys", "values")
figures.pairs(target.shown, target.found, "w_q", "w_k", "w_v")
figures.pairs(target.shown, target.found, "b_q", "b_k", "b_v")
figures.pairs(target.shown, target.found, "x", "context")
attribution.section(target.shown, target.found)
training.section(target.shown)
takeaway.section(target.shown, target.asked)
