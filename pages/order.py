"""Order: without a mask or positions, shuffled words give the same rows in another order."""

from pages.shell import show, shuffled
from pages.shell.controls import Config
from pages.shell.run import run
from pages.shell.widgets import widgets

shown = run(Config.current().random().bare())
show.title("order")
show.ledger(shown)
show.predict("order", "nothing", "order", "values")
widgets("shuffle", "order_mask", "order_positions")
shuffled.figures(shown)
shuffled.differences(shown)
