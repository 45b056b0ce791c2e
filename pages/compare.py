"""A and B: the screen that was kept beside the one that is shown: which controls differ, and by how much numbers do."""

from pages.shell.layout import page, pin
from pages.shell.layout.live import show
from pages.shell.views import compare

page.title("compare")
pin.swap()
show(compare.adjusted, compare.differ, compare.weights)
with page.predict("variation"):
    show(compare.rows)
show(compare.output)
