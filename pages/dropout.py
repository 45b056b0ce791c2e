"""Dropout: one keep-mask and its effect on a row, training beside inference, and the mean over many draws."""

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.sections import dropout as tasks
from pages.shell.views import dropout

page.title("dropout")
show(dropout.which_p, dropout.ledger)
page.training_offer("dropout")
with page.predict("first_token", "same", "less", "either", of="story"):
    show(dropout.draw)
with page.predict("row_sums", "one", "half", "around"):
    show(dropout.sums)
show(dropout.modes, dropout.difference)
tasks.many_draws()
show(dropout.mean)
with drawer("draws", dropout.converging, dropout.rows):
    show(dropout.converging, dropout.rows)
