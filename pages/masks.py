"""Masks: all of them on one sentence, one painted by hand, ways to hide the future, padding, and the empty row."""

from pages.shell import corners, future, hidden, padded, paint, show
from pages.shell.controls import Config
from pages.shell.own import Masks
from pages.shell.run import run
from pages.shell.widgets import widgets

shown = run(Config.current())
show.title("masks")
show.ledger(shown)
widgets("every_mask")
show.every_mask(shown, Masks.current().every_mask, chapter="every_mask")
paint.board(shown, chapter="paint")
show.steps(shown, "scaled", "mask", "masked", "weights", chapter="one_mask")
show.predict("polarity", "may", "may_not", "depends")
hidden.polarity(shown)
show.predict("future", "zero_before", "zero_after", "neither")
future.four_ways(shown)
show.predict("padding", "columns", "rows", "both")
padded.columns(shown)
show.predict("empty", "nan", "zero", "depends")
hidden.empty_row(shown)
corners.both(shown)
