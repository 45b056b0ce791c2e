"""Several heads: one projection cut into bands, one pattern a head, one sum of what they add."""

from pages.shell import several, show
from pages.shell.controls import Config
from pages.shell.own import Heads
from pages.shell.run import run
from pages.shell.widgets import widgets

show.title("heads")
widgets("fixed_d_k")
shown = run(Heads.current().sized(Config.current().random()))
show.ledger(shown)
show.predict("heads", "same", "more", "fewer")
show.every_head(shown, "weights", chapter="heads")
several.facts(shown)
several.average(shown)
several.split(shown)
show.steps(shown, "w_q", "queries", "scores", chapter="one_head")
show.steps(shown, "concat", "w_o", "projected", chapter="joined")
several.contributions(shown)
several.parameters(shown)
several.ranks()
