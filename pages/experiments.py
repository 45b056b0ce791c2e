"""What if…: one part of attention replaced at a time, before and after, on the sentence of the screen."""

from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections.experiments import axes, importance, parts, what_if

page.title("experiments")
page.ledger(what_if.shown)
what_if.tied(what_if.shown)
what_if.heading("biased")
widgets("shifted", "shift")
with page.predict("bias", "scores", "weights", "both"):
    what_if.biased(what_if.shown)
what_if.heading("gauge")
widgets("basis")
what_if.gauged(what_if.shown)
parts.another_sentence(what_if.shown)
parts.value_sizes(what_if.shown)
axes.transposed(what_if.shown)
parts.columns(what_if.shown)
axes.wrong_axis(what_if.shown)
axes.wrong_d(what_if.shown)
parts.scaled_first(what_if.shown)
importance.weights_and_values(importance.learned)
importance.key_of_zeros(importance.story)
