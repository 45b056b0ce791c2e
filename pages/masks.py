"""Masks: all of them on one sentence, one painted by hand, ways to hide the future, padding, and the empty row."""

from pages.shell.layout import page, steps
from pages.shell.layout.widgets import widgets
from pages.shell.runs.run import run
from pages.shell.sections.masks import corners, future, hidden, padded, paint
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Masks

shown = run(Config.current())
page.title("masks")
page.ledger(shown)
widgets("every_mask")
steps.every_mask(shown, Masks.current().every_mask, chapter="every_mask")
paint.board(shown, chapter="paint")
steps.steps(shown, "scaled", "mask", "masked", "weights", chapter="one_mask")
page.predict("polarity", "may", "may_not", "depends")
hidden.polarity(shown)
page.predict("future", "zero_before", "zero_after", "neither")
future.four_ways(shown)
page.predict("padding", "columns", "rows", "both")
padded.columns(shown)
page.predict("empty", "nan", "zero", "depends")
hidden.empty_row(shown)
corners.both(shown)
