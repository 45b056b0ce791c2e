"""The n × n pairs of a layer as a sheet, beside the blocks that grow with n alone: together all that it computes."""

from collections.abc import Iterator
from fractions import Fraction

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


def sheet(screen: Screen) -> Iterator[Block]:
    """Operations as areas: a row of the sheet costs a token as much as `n` columns, whatever the layer."""
    chosen = screen.own(Costs)
    layer, n = layers(screen.run)[chosen.cost_model], int(chosen.cost_n)
    # Operations of one pair, which are the unit of the areas.
    pair = costs.pairs(layer, 1)
    counts = {"pairs": costs.pairs, "projections": costs.projections, "feed_forward": costs.feed_forward}
    counted = {name: count(layer, n) for name, count in counts.items()}
    whole = sum(counted.values())
    parts = [
        Part(
            say(f"costs.part.{name}"),
            decimal(count, "FLOP"),
            share(count / whole),
            count / (n * pair),
            str(Fraction(counts[name](layer, n // 2), count)),
        )
        for name, count in counted.items()
    ]
    meeting = f"{costs.overtakes_layer(layer):,.0f}"
    labels = {
        "part": say("costs.sheet.part"),
        "takes": say("costs.flops"),
        "half": say("costs.sheet.half"),
        "meeting": say("costs.sheet.meeting", n=meeting),
        "kind": say("costs.sheet.kind"),
        "keys": say("costs.sheet.keys"),
    }
    note = say(
        "costs.sheet.note",
        model=word("cost_model", chosen.cost_model),
        n=f"{n:,}",
        share=share(part(layer, n)),
        half=meeting,
    )
    yield blocks.figures(Sheet("costs-sheet", say("costs.sheet.title"), note, parts, labels))
    yield blocks.text(say("costs.sheet.parts"))
