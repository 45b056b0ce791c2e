"""What attention costs: operations and bytes by formula, and time and memory measured live."""

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.sections.costs import measured
from pages.shell.views import costs

page.title("costs")
show(costs.ledger)
page.training_offer("costs")
widgets("cost_model", "cost_n")
with page.predict("costs"):
    show(costs.sheet)
    with drawer("shares", costs.shares):
        show(costs.shares)
show(costs.strips)
with drawer("own_model", "cost_config"):
    widgets("cost_config")
with drawer("sources", costs.sources):
    show(costs.sources)
with drawer("operations", costs.operations):
    show(costs.operations)
show(costs.measured_lead)
measured.controls()
measured.task()
show(costs.times)
with page.predict("doubled"):
    show(costs.needed)
