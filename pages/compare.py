"""A and B: the pinned screen beside the one that is shown, which controls differ, and the resulting differences."""

from pages.shell.layout import page, pin
from pages.shell.sections import compare

page.title("compare")
pin.buttons()
compare.adjusted(compare.sides)
compare.differ(compare.sides)
compare.figures(compare.sides, "weights")
with page.predict("variation", "half", "each", "sum"):
    compare.rows(compare.sides)
compare.figures(compare.sides, "output")
