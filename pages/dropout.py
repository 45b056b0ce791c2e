"""Dropout: one keep-mask and what it does to a row, training beside inference, and the mean over many draws."""

from pages.shell.layout import page, steps
from pages.shell.sections.dropout import many_draws, one_draw

page.title("dropout")
one_draw.controls()
page.ledger(one_draw.shown)
page.predict("first_token", "same", "less", "either")
steps.steps(one_draw.shown, "weights", "dropped", "kept", "output", chapter="one_draw")
page.predict("row_sums", "one", "half", "around")
one_draw.sums(one_draw.shown)
steps.both_modes(one_draw.shown, "output", chapter="modes")
one_draw.difference(one_draw.shown)
many_draws.controls()
many_draws.mean(one_draw.shown, many_draws.many)
many_draws.strayed(one_draw.shown, many_draws.many)
many_draws.rows(one_draw.shown, many_draws.many)
