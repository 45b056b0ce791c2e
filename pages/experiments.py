"""What if…: parts of attention replaced by others, each before and after on the sentence of the screen."""

from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.runs.run import run
from pages.shell.sections.experiments import axes, what_if
from pages.shell.state.config import Config

shown = run(Config.current().random().all_asking())
page.title("experiments")
page.ledger(shown)
what_if.tied(shown)
what_if.heading("biased")
page.predict("bias", "scores", "weights", "both")
widgets("shifted", "shift")
what_if.biased(shown)
what_if.heading("gauge")
widgets("basis")
what_if.gauged(shown)
axes.transposed(shown)
axes.wrong_axis(shown)
axes.wrong_d(shown)
