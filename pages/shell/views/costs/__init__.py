"""The page about costs: operations and bytes by formula, and measured time and memory."""

from collections.abc import Iterator

from pages.shell.screen import Screen
from pages.shell.state.todays_controls import OWN, Costs
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.costs import formulas, measured
from pages.shell.views.costs import sheet as blocks_of_layer
from pages.shell.views.costs import strips as layers_of_models
from pages.shell.views.registry import View, view


@view
def ledger(screen: Screen) -> Iterator[Block]:
    """The sizes of the screen, if these are counted: for the n of this page, not for its sentence."""
    if screen.own(Costs).cost_model == OWN:
        yield from ledgers.ledger(screen, has_words=False)


sheet = View("costs.sheet", blocks_of_layer.sheet)
strips = View("costs.strips", layers_of_models.strips)
sources = View("costs.sources", layers_of_models.sources)
operations = View("costs.operations", formulas.operations)
shares = View("costs.shares", formulas.shares)
measured_lead = View("costs.measured_lead", measured.lead)
times = View("costs.times", measured.times)
needed = View("costs.memory", measured.memory)
