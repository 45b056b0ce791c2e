"""Dropout: a sentence draw after draw, row sums, training beside inference, and the mean over many draws."""

from pages.shell.views import head_arcs, steps
from pages.shell.views import ledger as ledgers
from pages.shell.views.dropout import in_turn, many_draws, one_draw, purpose
from pages.shell.views.registry import View

_STEPS = ("weights", "dropped", "kept", "output")

which_p = View("dropout.which_p", one_draw.which_p)
warning = View("dropout.warning", head_arcs.warning)
arcs = View("dropout.arcs", in_turn.arcs)
why = View("dropout.why", purpose.purpose)
worth = View("dropout.worth", purpose.worth)
scores = View("dropout.scores", purpose.scores)
notes = View("dropout.notes", lambda screen: (*ledgers.typed(screen), *ledgers.notes(screen)))
ledger = View("dropout.ledger", ledgers.sizes)
draw = View("dropout.one_draw", lambda screen: steps.row(screen, *_STEPS, chapter="one_draw"))
sums = View("dropout.sums", one_draw.sums)
counts = View("dropout.counts", one_draw.counts)
modes = View("dropout.modes", lambda screen: steps.both_modes(screen, "output", chapter="modes"))
difference = View("dropout.difference", one_draw.difference)
mean = View("dropout.mean", many_draws.mean)
converging = View("dropout.converging", many_draws.converging)
rows = View("dropout.rows", many_draws.rows)
