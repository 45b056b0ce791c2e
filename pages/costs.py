"""What attention costs: operations and bytes by formula, and time and memory measured now."""

from pages.shell.layout import page
from pages.shell.layout.widgets import widgets
from pages.shell.sections.costs import formulas, measured

page.title("costs")
page.ledger(formulas.shown)
widgets("cost_model", "cost_n")
with page.predict("costs", "fifth", "half", "most"):
    formulas.operations(formulas.shown)
    formulas.crossings(formulas.shown)
measured.controls()
with page.predict("doubled", "twice", "four", "eight"):
    measured.charts(measured.lap)
