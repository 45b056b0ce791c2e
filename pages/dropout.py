"""Dropout: one keep-mask and its effect on a row, training beside inference, and the mean over many draws."""

from pages.shell.layout import page, steps
from pages.shell.sections.dropout import many_draws, one_draw

page.title("dropout")
one_draw.which_p()
page.ledger(one_draw.current_run)
with page.predict("first_token", "same", "less", "either", of="story"):
    steps.steps(one_draw.current_run, "weights", "dropped", "kept", "output", chapter="one_draw")
with page.predict("row_sums", "one", "half", "around"):
    one_draw.sums(one_draw.current_run)
steps.both_modes(one_draw.current_run, "output", chapter="modes")
one_draw.difference(one_draw.current_run)
many_draws.controls()
many_draws.mean_weights(one_draw.current_run, many_draws.statistics)
many_draws.running_mean(one_draw.current_run, many_draws.statistics)
many_draws.row_statistics(one_draw.current_run, many_draws.statistics)
