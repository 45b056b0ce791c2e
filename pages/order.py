"""Order: without a mask or positions, shuffled words give the same rows in another order."""

from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import order

page.title("order")
show(order.ledger)
widgets("shuffle", "order_mask", "order_positions")
with page.predict("order", "nothing", "order", "values"):
    show(order.weights, order.projected, order.differences)
