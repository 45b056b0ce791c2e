"""A and B: the pinned screen beside the one that is shown, which controls differ, and the resulting differences."""

from pages.shell.layout import page, pin
from pages.shell.layout.live import show
from pages.shell.views import compare

page.title("compare")
pin.buttons()
show(compare.adjusted, compare.differ, compare.weights)
with page.predict("variation", "half", "each", "sum"):
    show(compare.rows)
show(compare.output)
