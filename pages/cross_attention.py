"""Cross-attention: one text asks, another answers, and the weights are a rectangle."""

from pages.shell import crossing, show

shown = crossing.chosen()
show.title("cross_attention")
show.ledger(shown)
show.predict("rectangle", "rows", "columns", "square")
show.steps(shown, "weights", "output", chapter="crossed")
crossing.sums(shown)
show.steps(shown, "x", "context", chapter="two_texts")
show.steps(shown, "queries", "keys", "values", chapter="projections")
show.steps(shown, "scores", "scaled", chapter="scores")
show.steps(shown, "mask", "masked", chapter="mask")
show.steps(shown, "kept", "dropped", chapter="dropout")
show.steps(shown, "concat", "projected", chapter="joined")
crossing.same(shown)
