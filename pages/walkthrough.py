"""A sentence through multi-head attention, step by step."""

from pages.shell.exports import downloads
from pages.shell.layout import moved, page, pipeline
from pages.shell.runs.sources import screen
from pages.shell.sections import introduction, learned, matrix_editor

page.title("walkthrough")
sentence, numbers = page.halves()
with sentence:
    introduction.arcs(screen)
with numbers:
    page.ledger(screen)
    moved.summary()
pipeline.section(screen)
learned.section(screen)
with page.predict("creature", "full", "halves", "itself", of="story"):
    pipeline.figures(screen, "weights", "dropped", "output", chapter="result")
matrix_editor.section(screen)
pipeline.figures(screen, "x", "context", chapter="inputs")
pipeline.figures(screen, "w_q", "w_k", "w_v", "w_o", chapter="parameters")
pipeline.figures(screen, "b_q", "b_k", "b_v", "b_o", chapter="biases")
pipeline.figures(screen, "queries", "keys", "values", chapter="projections")
pipeline.figures(screen, "g_q", "queries_normed", "g_k", "keys_normed", chapter="normed")
pipeline.figures(screen, "frequencies", "query_positions", "key_positions", chapter="places")
pipeline.figures(screen, "query_angles", "queries_rotated", "key_angles", "keys_rotated", chapter="rotated")
pipeline.figures(screen, "past_keys", "past_values", "keys_joined", "values_joined", chapter="cached")
pipeline.figures(screen, "scores", "scaled", "softcapped", "slopes", "bias", "biased", chapter="scores")
pipeline.figures(screen, "mask", "masked", chapter="mask")
with page.predict("sums", "rows", "columns", "both"):
    pipeline.figures(screen, "sink", "weights", chapter="weights")
page.predict("forest", "nearest", "all", "first", of="story")
pipeline.figures(screen, "kept", "dropped", chapter="dropout")
pipeline.figures(screen, "output", "concat", "projected", chapter="output")
downloads.section(screen, pipeline.goal)
