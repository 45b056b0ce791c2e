"""A sentence through multi-head attention, step by step."""

from pages.shell.exports import downloads
from pages.shell.layout import page, steps
from pages.shell.runs.run import run
from pages.shell.sections import matrix_editor
from pages.shell.state.config import Config

shown = run(Config.current())
page.title("walkthrough")
page.ledger(shown)
page.predict("creature", "itself", "adjectives", "before", of="story")
steps.steps(shown, "weights", "output", chapter="result")
matrix_editor.section(shown)
steps.steps(shown, "x", "context", chapter="inputs")
steps.steps(shown, "w_q", "w_k", "w_v", "w_o", chapter="parameters")
steps.steps(shown, "b_q", "b_k", "b_v", "b_o", chapter="biases")
steps.steps(shown, "queries", "keys", "values", chapter="projections")
steps.steps(shown, "scores", "scaled", chapter="scores")
steps.steps(shown, "mask", "masked", chapter="mask")
page.predict("sums", "rows", "columns", "both")
steps.steps(shown, "weights", chapter="weights")
page.predict("forest", "nearest", "all", "first", of="story")
steps.steps(shown, "kept", "dropped", chapter="dropout")
steps.steps(shown, "output", "concat", "projected", chapter="output")
downloads.section(shown)
