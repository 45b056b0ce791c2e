"""The n × n pairs of a layer as a sheet, beside the blocks that grow with n alone."""

from collections.abc import Iterator

from attention.analysis import costs
from pages.shell.component.sheet import Part, Sheet
from pages.shell.i18n import say
from pages.shell.i18n.numbers import decimal, share
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.costs.formulas import ASKED, layers, part


def sheet(screen: Screen) -> Iterator[Block]:
    """Operations as areas: a row of the sheet costs a token as much as `n` columns, whatever the layer."""
    chosen = screen.own(Costs)
    layer, n = layers(screen.run)[chosen.cost_model], int(chosen.cost_n)
    # Operations of one pair, which are the unit of the areas.
    pair = costs.pairs(layer, 1)
    counted = {
        "pairs": costs.pairs(layer, n),
        "projections": costs.projections(layer, n),
        "feed_forward": costs.feed_forward(layer, n),
    }
    whole = sum(counted.values())
    # What the question beside the picture asks is said once somebody has guessed.
    is_asked = (chosen.cost_model, n) == ("gpt2", ASKED) and not guess.is_answered(screen, "costs")
    parts = [
        Part(
            say(f"costs.part.{name}"),
            decimal(count, "FLOP"),
            "" if is_asked else share(count / whole),
            count / (n * pair),
        )
        for name, count in counted.items()
    ]
    labels = {
        "part": say("costs.sheet.part"),
        "takes": say("costs.flops"),
        "half": say("costs.sheet.half"),
        # The browser fills these.
        "ruler": say("costs.sheet.ruler", tokens="{{tokens}}"),
        "smaller": say("costs.sheet.smaller", times="{{times}}"),
        "kind": say("costs.sheet.kind"),
        "keys": say("costs.sheet.keys"),
    }
    told = {"model": word("cost_model", chosen.cost_model), "n": f"{n:,}"}
    if is_asked:
        note = say("costs.sheet.asked", **told)
    else:
        note = say("costs.sheet.note", **told, share=share(part(layer, n)))
    yield blocks.figures(Sheet("costs-sheet", say("costs.sheet.title"), note, n, parts, labels))
