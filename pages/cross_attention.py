"""Cross-attention: queries from one text, keys and values from another, and rectangular weights."""

from pages.shell.layout import page, steps
from pages.shell.sections import cross_attention

page.title("cross_attention")
page.ledger(cross_attention.shown)
with page.predict("rectangle", "rows", "columns", "square"):
    steps.steps(cross_attention.shown, "weights", "output", chapter="crossed")
    cross_attention.sums(cross_attention.shown)
steps.steps(cross_attention.shown, "x", "context", chapter="two_texts")
steps.steps(cross_attention.shown, "queries", "keys", "values", chapter="projections")
steps.steps(cross_attention.shown, "scores", "scaled", chapter="scores")
steps.steps(cross_attention.shown, "mask", "masked", chapter="mask")
steps.steps(cross_attention.shown, "kept", "dropped", chapter="dropout")
steps.steps(cross_attention.shown, "concat", "projected", chapter="joined")
cross_attention.same(cross_attention.shown)
