"""Dropout: one keep-mask and what it does to a row, training beside inference, and the mean over many draws."""

from pages.shell.layout import page, steps
from pages.shell.sections.dropout import many_draws, one_draw

page.title("dropout")
shown = one_draw.chosen()
page.ledger(shown)
page.predict("first_token", "same", "less", "either")
steps.steps(shown, "weights", "dropped", "kept", "output", chapter="one_draw")
page.predict("row_sums", "one", "half", "around")
one_draw.sums(shown)
steps.both_modes(shown, "output", chapter="modes")
one_draw.difference(shown)
many = many_draws.many(shown)
many_draws.mean(shown, many)
many_draws.strayed(shown, many)
many_draws.rows(shown, many)
