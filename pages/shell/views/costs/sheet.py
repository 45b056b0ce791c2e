"""All that a layer computes for a text, as blocks by area, and beside it the same for a text twice as long; above them
the share of the n × n pairs over n."""

from collections.abc import Iterator
from math import log2

from attention.analysis import costs
from attention.analysis.costs import Layer
from pages.shell.component.sheet import Part, Sheet, Track
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import decimal, digits, share
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.costs.formulas import LENGTHS, layers, part

_COUNTS = {"pairs": costs.pairs, "projections": costs.projections, "feed_forward": costs.feed_forward}


def sheet(screen: Screen) -> Iterator[Block]:
    """Operations as areas, of both texts on one scale."""
    chosen = screen.own(Costs)
    layer, n = layers(screen.run)[chosen.cost_model], int(chosen.cost_n)
    once, twice = ({name: count(layer, size) for name, count in _COUNTS.items()} for size in (n, 2 * n))
    whole, doubled = sum(once.values()), sum(twice.values())
    parts = [
        Part(
            say(f"costs.part.{name}"),
            share(count / whole),
            decimal(count, "FLOP"),
            decimal(twice[name], "FLOP"),
            f"×{digits(twice[name] / count)}",
            count / whole,
            say(f"costs.means.{name}"),
        )
        for name, count in once.items()
    ]
    meets = costs.overtakes_layer(layer)
    # Where it is, is what the page asks: the answer is there once n has come to it.
    is_passed, half = n >= meets, f"{meets:,.0f}"
    labels = {
        "part": say("costs.sheet.part"),
        "share": say("costs.sheet.share"),
        "times": say("costs.sheet.times"),
        "once": f"n = {n:,}",
        "twice": f"2n = {2 * n:,}",
        "takes": decimal(whole, "FLOP"),
        "takes_twice": say("costs.sheet.grown", takes=decimal(doubled, "FLOP"), times=digits(doubled / whole, 2)),
        "meeting": say("costs.sheet.meeting", n=half) if is_passed else "",
        "halfway": say("costs.sheet.halfway"),
        "over_n": say("costs.sheet.over_n"),
        "kind": say("costs.sheet.kind"),
        "keys": say("costs.sheet.keys"),
    }
    model = word("cost_model", chosen.cost_model)
    told = [say("costs.sheet.note", model=model, n=f"{n:,}", share=share(part(layer, n)))]
    if is_passed:
        told.append(say("costs.sheet.passed", half=half))
    track = _track(layer, n, meets if is_passed else None)
    yield blocks.figures(Sheet("costs-sheet", say("costs.sheet.title"), listed("sentence", told), parts, track, labels))


def _track(layer: Layer, n: int, meets: float | None) -> Track:
    first, last = LENGTHS[0], LENGTHS[-1]

    def along(length: float) -> float:
        return log2(length / first) / log2(last / first)

    place = along(meets) if meets is not None and first <= meets <= last else None
    return Track([part(layer, length) for length in LENGTHS], along(n), place, f"{first:,}", f"{last:,}")
