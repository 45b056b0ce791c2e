"""Several heads: one projection cut into bands, one pattern per head, one sum of their contributions."""

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import heads

ONE_HEAD = (heads.average, heads.one_head, heads.joined)

page.title("heads")
widgets("fixed_d_k")
show(heads.ledger, heads.every_head, heads.facts, heads.split, heads.contributions)
with drawer("one_head", *ONE_HEAD):
    show(*ONE_HEAD)
with page.predict("heads", "same", "more", "fewer"):
    show(heads.parameters)
show(heads.ranks)
