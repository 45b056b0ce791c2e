"""Order: without a mask or positions, shuffled words give the same rows in another order."""

from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.runs.run import run
from pages.shell.sections import order
from pages.shell.state.config import Config

shown = run(Config.current().random().bare())
page.title("order")
page.ledger(shown)
page.predict("order", "nothing", "order", "values")
widgets("shuffle", "order_mask", "order_positions")
order.figures(shown)
order.differences(shown)
