"""What the page about costs shows: operations and bytes by formula, and time and memory as they were measured."""

from pages.shell.views.costs import formulas
from pages.shell.views.ledger import ledger as drawn
from pages.shell.views.registry import View

ledger = View("costs.ledger", drawn)
operations = View("costs.operations", formulas.operations)
shares = View("costs.shares", formulas.shares)
