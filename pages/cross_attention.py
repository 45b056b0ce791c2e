"""Cross-attention: one text asks, another answers, and the weights are a rectangle."""

from pages.shell.layout import page, steps
from pages.shell.sections import cross_attention

shown = cross_attention.chosen()
page.title("cross_attention")
page.ledger(shown)
page.predict("rectangle", "rows", "columns", "square")
steps.steps(shown, "weights", "output", chapter="crossed")
cross_attention.sums(shown)
steps.steps(shown, "x", "context", chapter="two_texts")
steps.steps(shown, "queries", "keys", "values", chapter="projections")
steps.steps(shown, "scores", "scaled", chapter="scores")
steps.steps(shown, "mask", "masked", chapter="mask")
steps.steps(shown, "kept", "dropped", chapter="dropout")
steps.steps(shown, "concat", "projected", chapter="joined")
cross_attention.same(shown)
