"""A sentence through multi-head attention, step by step."""

from pages.shell import by_hand, show, takeaway
from pages.shell.controls import Config
from pages.shell.run import run

shown = run(Config.current())
show.title("walkthrough")
show.ledger(shown)
show.predict("creature", "itself", "adjectives", "before", of="story")
show.steps(shown, "weights", "output", chapter="result")
by_hand.section(shown)
show.steps(shown, "x", "context", chapter="inputs")
show.steps(shown, "w_q", "w_k", "w_v", "w_o", chapter="parameters")
show.steps(shown, "b_q", "b_k", "b_v", "b_o", chapter="biases")
show.steps(shown, "queries", "keys", "values", chapter="projections")
show.steps(shown, "scores", "scaled", chapter="scores")
show.steps(shown, "mask", "masked", chapter="mask")
show.predict("sums", "rows", "columns", "both")
show.steps(shown, "weights", chapter="weights")
show.predict("forest", "nearest", "all", "first", of="story")
show.steps(shown, "kept", "dropped", chapter="dropout")
show.steps(shown, "output", "concat", "projected", chapter="output")
takeaway.section(shown)
