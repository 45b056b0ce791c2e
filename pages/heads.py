"""Several heads: one projection cut into bands, one pattern per head, one sum of their contributions."""

from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import heads

page.title("heads")
widgets("fixed_d_k")
show(heads.ledger, heads.every_head, heads.facts, heads.average, heads.split, heads.one_head, heads.joined)
show(heads.contributions)
with page.predict("heads", "same", "more", "fewer"):
    show(heads.parameters)
show(heads.ranks)
