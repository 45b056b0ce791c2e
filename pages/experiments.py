"""What if…: parts of attention replaced by others, each before and after on the sentence of the screen."""

from pages.shell import axes, show, what_if
from pages.shell.controls import Config
from pages.shell.run import run
from pages.shell.widgets import widgets

shown = run(Config.current().random().all_asking())
show.title("experiments")
show.ledger(shown)
what_if.tied(shown)
what_if.heading("biased")
show.predict("bias", "scores", "weights", "both")
widgets("shifted", "shift")
what_if.biased(shown)
what_if.heading("gauge")
widgets("basis")
what_if.gauged(shown)
axes.transposed(shown)
axes.wrong_axis(shown)
axes.wrong_d(shown)
