"""Masks: all of them on one sentence, one painted by hand, ways to hide the future, padding, and the empty row."""

from pages.shell.layout import page, steps
from pages.shell.layout.widgets import widgets
from pages.shell.runs.sources import plain_screen
from pages.shell.sections.masks import corners, every, future, hidden, large, padded, paint

page.title("masks")
page.ledger(plain_screen)
widgets("every_mask")
every.layers(plain_screen)
steps.every_mask(plain_screen, every.chosen, chapter="every_mask")
paint.board(plain_screen, chapter="paint")
steps.steps(plain_screen, "scaled", "mask", "masked", "weights", chapter="one_mask")
with page.predict("polarity", "may", "may_not", "depends"):
    hidden.polarity(plain_screen)
with page.predict("future", "zero_before", "zero_after", "neither"):
    future.four_ways(plain_screen)
with page.predict("padding", "columns", "rows", "both"):
    padded.columns(plain_screen)
with page.predict("empty", "nan", "zero", "depends"):
    hidden.empty_row(plain_screen)
large.numbers(plain_screen)
corners.both(plain_screen)
