"""A and B: a screen that was pinned beside the one that is shown, what differs between them, and what comes of it."""

from pages.shell.layout import page, pin
from pages.shell.sections import compare

page.title("compare")
pin.buttons()
compare.adjusted(compare.sides)
compare.differ(compare.sides)
with page.predict("variation", "half", "each", "sum"):
    compare.figures(compare.sides, "weights")
    compare.rows(compare.sides)
    compare.figures(compare.sides, "output")
