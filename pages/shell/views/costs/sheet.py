"""All that a layer computes for a text, as areas: a square of n × n pairs that grows in both directions, beside a rest
that grows in one; above them the share of the pairs over n."""

from collections.abc import Iterator
from math import log2

from attention.analysis import costs
from attention.analysis.costs import CONTEXTS, Layer
from pages.shell.component.sheet import Part, Sheet, Track
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import decimal, digits, share
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.costs import scale
from pages.shell.views.costs.formulas import LENGTHS, layers, part

_COUNTS = {"pairs": costs.pairs, "projections": costs.projections, "feed_forward": costs.feed_forward}


def sheet(screen: Screen) -> Iterator[Block]:
    """Operations as areas, those of half the text on one scale with them."""
    chosen = screen.own(Costs)
    layer, n = layers(screen.run)[chosen.cost_model], int(chosen.cost_n)
    meets = costs.overtakes_layer(layer)
    # The page asks where the pairs are half, so the mark comes a step before that place at the earliest.
    is_near = 2 * n > meets
    track = _track(layer, n, meets if is_near else None)
    drawn = Sheet(
        "costs-sheet",
        say("costs.sheet.title"),
        _note(chosen, layer, meets if is_near else None),
        _parts(layer, n),
        track,
        n,
        scale.most(layer, n),
        scale.before(layer, n),
        meets / scale.ends(layer)[0],
        _labels(layer, n, f"{meets:,.0f}" if is_near else ""),
    )
    yield blocks.figures(drawn)


def _parts(layer: Layer, n: int) -> list[Part]:
    half, once = ({name: count(layer, size) for name, count in _COUNTS.items()} for size in (n // 2, n))
    whole, pairs = sum(once.values()), once["pairs"]
    said = {"pairs": {"count": f"{n * n:,}"}}
    return [
        Part(
            say(f"costs.part.{name}"),
            share(count / whole),
            decimal(count, "FLOP"),
            decimal(half[name], "FLOP"),
            f"×{digits(count / half[name])}",
            say(f"costs.means.{name}", **said.get(name, {})),
            n * count / pairs,
        )
        for name, count in once.items()
    ]


def _labels(layer: Layer, n: int, meeting: str) -> dict[str, str]:
    half, once = (sum(count(layer, size) for count in _COUNTS.values()) for size in (n // 2, n))
    most, before = scale.most(layer, n), scale.before(layer, n)
    scaled = (
        say("costs.sheet.one_scale", most=f"{most:,}")
        if before is None
        else say("costs.sheet.smaller", times=most // before, before=f"{before:,}")
    )
    return {
        "part": say("costs.sheet.part"),
        "share": say("costs.sheet.share"),
        "times": say("costs.sheet.times"),
        "half": f"n/2 = {n // 2:,}",
        "once": f"n = {n:,}",
        "takes": decimal(once, "FLOP"),
        "grown": say("costs.sheet.grown", times=digits(once / half, 2), half=f"{n // 2:,}"),
        "down": say("costs.sheet.queries", n=f"{n:,}"),
        "across": say("costs.sheet.keys_of", n=f"{n:,}"),
        "query": say("costs.sheet.query"),
        "key": say("costs.sheet.key"),
        "pair": say("costs.sheet.pair"),
        "scale": scaled,
        "meeting": say("costs.sheet.meeting", n=meeting) if meeting else "",
        "halfway": say("costs.sheet.halfway"),
        "over_n": say("costs.sheet.over_n"),
        "kind": say("costs.sheet.kind"),
        "keys": say("costs.sheet.keys"),
    }


def _note(chosen: Costs, layer: Layer, meets: float | None) -> str:
    model, n = word("cost_model", chosen.cost_model), int(chosen.cost_n)
    told = [say("costs.sheet.note", model=model, n=f"{n:,}", share=share(part(layer, n)))]
    if meets is not None:
        told.append(say("costs.sheet.half_at", half=f"{meets:,.0f}"))
    context = CONTEXTS.get(chosen.cost_model, n)
    if n > context:
        told.append(say("costs.sheet.beyond", model=model, context=f"{context:,}"))
    return listed("sentence", told)


def _track(layer: Layer, n: int, meets: float | None) -> Track:
    first, last = LENGTHS[0], LENGTHS[-1]

    def along(length: float) -> float:
        return log2(length / first) / log2(last / first)

    place = along(meets) if meets is not None and first <= meets <= last else None
    return Track([part(layer, length) for length in LENGTHS], along(n), place, f"{first:,}", f"{last:,}")
