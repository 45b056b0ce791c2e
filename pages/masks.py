"""Masks: all of them on one sentence, one painted by hand, ways to hide the future, padding, and the empty row."""

from pages.shell.layout import page, steps
from pages.shell.layout.widgets import widgets
from pages.shell.runs.sources import screen
from pages.shell.sections.masks import corners, every, future, hidden, large, padded, paint

page.title("masks")
page.ledger(screen)
widgets("every_mask")
every.layers(screen)
steps.every_mask(screen, every.chosen, chapter="every_mask")
paint.board(screen, chapter="paint")
steps.steps(screen, "scaled", "mask", "masked", "weights", chapter="one_mask")
with page.predict("polarity", "may", "may_not", "depends"):
    hidden.polarity(screen)
with page.predict("future", "zero_before", "zero_after", "neither"):
    future.four_ways(screen)
with page.predict("padding", "columns", "rows", "both"):
    padded.columns(screen)
with page.predict("empty", "nan", "zero", "depends"):
    hidden.empty_row(screen)
large.numbers(screen)
corners.both(screen)
