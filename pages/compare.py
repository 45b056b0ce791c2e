"""A and B: a screen that was pinned beside the one that is shown, what differs between them, and what comes of it."""

from pages.shell.layout import page, pin
from pages.shell.sections import compare

page.title("compare")
pin.buttons()
shown = compare.chosen()
compare.differ(shown)
page.predict("variation", "half", "each", "sum")
compare.figures(shown, "weights")
compare.rows(shown)
compare.figures(shown, "output")
