"""Masks: all of them on one sentence, four ways to hide the future, and the row that nobody may fill."""

from pages.shell import hidden, show
from pages.shell.controls import Config
from pages.shell.run import run

shown = run(Config.current())
show.title("masks")
show.ledger(shown)
show.every_mask(shown, "weights", chapter="every_mask")
show.steps(shown, "scaled", "mask", "masked", "weights", chapter="one_mask")
hidden.polarity(shown)
show.predict("future", "zero_before", "zero_after", "neither")
hidden.four_ways(shown)
show.predict("empty", "nan", "zero", "depends")
hidden.empty_row(shown)
