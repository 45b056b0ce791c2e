"""Order: without a mask or positions, shuffled words give the same rows in another order."""

from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections import order

page.title("order")
page.ledger(order.shown)
widgets("shuffle", "order_mask", "order_positions")
with page.predict("order", "nothing", "order", "values"):
    order.figures(order.shown)
    order.differences(order.shown)
