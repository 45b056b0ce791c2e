"""Several heads: one projection cut into bands, one pattern per head, one sum of their contributions."""

from pages.shell.layout import page, steps
from pages.shell.layout.widgets import widgets
from pages.shell.sections import heads

page.title("heads")
widgets("fixed_d_k")
page.ledger(heads.shown)
steps.every_head(heads.shown, "weights", chapter="heads")
heads.facts(heads.shown)
heads.average(heads.shown)
heads.split(heads.shown)
steps.steps(heads.shown, "w_q", "queries", "scores", "dropped", chapter="one_head")
steps.steps(heads.shown, "concat", "w_o", "projected", chapter="joined")
heads.contributions(heads.shown)
with page.predict("heads", "same", "more", "fewer"):
    heads.parameters(heads.shown)
heads.ranks()
