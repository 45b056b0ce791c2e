"""The n × n pairs of a layer as a sheet, beside the blocks that grow with n alone."""

from collections.abc import Iterator

from attention.analysis import costs
from pages.shell.component.sheet import Part, Sheet
from pages.shell.i18n import say
from pages.shell.i18n.numbers import decimal, share
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.costs.formulas import layers, part

# The tokens of a text with which longer ones are compared; GPT-2 reads no more.
SQUARE = 1024


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
    parts = [
        Part(
            say(f"costs.part.{name}"),
            decimal(count, "FLOP"),
            share(count / whole),
            count / (n * pair),
        )
        for name, count in counted.items()
    ]
    labels = {
        "part": say("costs.sheet.part"),
        "takes": say("costs.flops"),
        "half": say("costs.sheet.half"),
        # The browser fills it.
        "ruler": say("costs.sheet.ruler", tokens="{{tokens}}"),
        "kind": say("costs.sheet.kind"),
        "keys": say("costs.sheet.keys"),
    }
    # Of a text beyond it, the sheet is ruled into as many squares as it has grown to.
    square = SQUARE if n > SQUARE else 0
    grown = _grown(n // SQUARE) if square else []
    note = say(
        "costs.sheet.note",
        model=word("cost_model", chosen.cost_model),
        n=f"{n:,}",
        share=share(part(layer, n)),
    )
    yield blocks.figures(Sheet("costs-sheet", say("costs.sheet.title"), note, n, parts, labels, square, grown))


def _grown(times: int) -> list[tuple[str, str]]:
    """How often the sheet and the other blocks hold those of a text that is so many times shorter."""
    shorter = {"n": f"{SQUARE:,}"}
    return [
        (say("costs.sheet.times", times=f"{times**2:,}"), say("costs.sheet.squares", **shorter)),
        (say("costs.sheet.times", times=f"{times:,}"), say("costs.sheet.rest", **shorter)),
    ]
