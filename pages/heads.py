"""Several heads: one projection cut into bands, one pattern a head, one sum of what they add."""

from pages.shell.layout import page, steps
from pages.shell.layout.widgets import widgets
from pages.shell.runs.run import run
from pages.shell.sections import heads
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Heads

page.title("heads")
widgets("fixed_d_k")
shown = run(Heads.current().sized(Config.current().random()))
page.ledger(shown)
page.predict("heads", "same", "more", "fewer")
steps.every_head(shown, "weights", chapter="heads")
heads.facts(shown)
heads.average(shown)
heads.split(shown)
steps.steps(shown, "w_q", "queries", "scores", chapter="one_head")
steps.steps(shown, "concat", "w_o", "projected", chapter="joined")
heads.contributions(shown)
heads.parameters(shown)
heads.ranks()
