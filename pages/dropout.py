"""Dropout: one keep-mask and what it does to a row, training beside inference, and the mean over many draws."""

from pages.shell import dropping, show

show.title("dropout")
shown = dropping.chosen()
show.ledger(shown)
show.predict("first_token", "same", "less", "either")
show.steps(shown, "weights", "dropped", "kept", "output", chapter="one_draw")
show.predict("row_sums", "one", "half", "around")
dropping.sums(shown)
show.both_modes(shown, "output", chapter="modes")
dropping.difference(shown)
many = dropping.many(shown)
dropping.mean(shown, many)
dropping.strayed(shown, many)
dropping.rows(shown, many)
