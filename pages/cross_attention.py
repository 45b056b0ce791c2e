"""Cross-attention: queries from one text, keys and values from another, and rectangular weights."""

from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.views import cross_attention as cross

page.title("cross_attention")
show(cross.ledger)
with page.predict("rectangle", "rows", "columns", "square"):
    show(cross.crossed, cross.sums)
show(cross.two_texts, cross.projections, cross.scores, cross.mask, cross.dropout, cross.joined, cross.same)
