"""A and B: a screen that was pinned beside the one that is shown, what differs between them, and what comes of it."""

from pages.shell import pin, show, sides

show.title("compare")
pin.buttons()
shown = sides.chosen()
sides.differ(shown)
show.predict("variation", "half", "each", "sum")
sides.figures(shown, "weights")
sides.rows(shown)
sides.figures(shown, "output")
