"""What the page about costs shows: operations and bytes by formula, and time and memory as they were measured."""

from pages.shell.views.costs import formulas, measured
from pages.shell.views.ledger import ledger as drawn
from pages.shell.views.registry import View

ledger = View("costs.ledger", drawn)
operations = View("costs.operations", formulas.operations)
shares = View("costs.shares", formulas.shares)
measured_lead = View("costs.measured_lead", measured.lead)
times = View("costs.times", measured.times)
needed = View("costs.memory", measured.memory)
