"""What attention costs: operations and bytes by formula, and time and memory measured live."""

from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections.costs import formulas, measured

page.title("costs")
page.ledger(formulas.shown)
widgets("cost_model", "cost_n")
formulas.operations(formulas.shown)
with page.predict("costs", "fifth", "half", "most"):
    formulas.shares(formulas.shown)
measured.controls()
measured.times(measured.lap)
with page.predict("doubled", "twice", "four", "eight"):
    measured.memory(measured.lap)
