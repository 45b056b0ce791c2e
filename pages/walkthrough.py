"""A sentence through multi-head attention, step by step."""

from pages.shell.exports import downloads
from pages.shell.layout import page, steps
from pages.shell.runs.sources import screen
from pages.shell.sections import matrix_editor

page.title("walkthrough")
page.ledger(screen)
with page.predict("creature", "itself", "adjectives", "before", of="story"):
    steps.steps(screen, "weights", "dropped", "output", chapter="result")
matrix_editor.section(screen)
steps.steps(screen, "x", "context", chapter="inputs")
steps.steps(screen, "w_q", "w_k", "w_v", "w_o", chapter="parameters")
steps.steps(screen, "b_q", "b_k", "b_v", "b_o", chapter="biases")
steps.steps(screen, "queries", "keys", "values", chapter="projections")
steps.steps(screen, "scores", "scaled", chapter="scores")
steps.steps(screen, "mask", "masked", chapter="mask")
with page.predict("sums", "rows", "columns", "both"):
    steps.steps(screen, "weights", chapter="weights")
page.predict("forest", "nearest", "all", "first", of="story")
steps.steps(screen, "kept", "dropped", chapter="dropout")
steps.steps(screen, "output", "concat", "projected", chapter="output")
downloads.section(screen)
