"""All that a layer computes for a text, as areas: a square of n × n pairs that grows in both directions, beside a rest
that grows in one; above them the share of the pairs over n."""

from collections.abc import Iterator
from math import log2

from attention.analysis import costs
from attention.analysis.costs import CONTEXTS, MODELS, Layer
from pages.shell.component.sheet import Meeting, Part, Sheet, Track
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import decimal, digits, share
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.costs import scale
from pages.shell.views.costs.formulas import LENGTHS, layers, part

_COUNTS = {"pairs": costs.pairs, "projections": costs.projections, "feed_forward": costs.feed_forward}


def sheet(screen: Screen) -> Iterator[Block]:
    """Operations as areas, those of half the text on one scale with them."""
    chosen = screen.own(Costs)
    layer, n = layers(screen.run)[chosen.cost_model], int(chosen.cost_n)
    meets = costs.overtakes_layer(layer)
    # The page asks where the pairs are half, so that is told to those who have come there, or have guessed.
    is_told = n >= meets or guess.is_answered(screen, "costs")
    track = Track(
        [part(layer, length) for length in LENGTHS],
        _along(n),
        _meetings(screen, meets if is_told else None),
        f"{LENGTHS[0]:,}",
        f"{LENGTHS[-1]:,}",
    )
    drawn = Sheet(
        "costs-sheet",
        say("costs.sheet.title"),
        _note(chosen, layer, meets if is_told else None),
        _parts(layer, n),
        track,
        n,
        scale.most(layer, n),
        scale.ROOM,
        scale.drawn(layer, n),
        _labels(layer, n),
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


def _labels(layer: Layer, n: int) -> dict[str, str]:
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
        "cut": say("costs.sheet.cut") if scale.drawn(layer, n) < 1 else "",
        "scale": scaled,
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


def _meetings(screen: Screen, meets: float | None) -> list[Meeting]:
    """Where the pairs are half: of the layer, where that is told; of both models, once one has guessed."""
    if guess.is_answered(screen, "costs"):
        return [
            Meeting(
                _along(costs.overtakes_layer(layer)),
                say("costs.sheet.meeting_of", model=word("cost_model", name), n=f"{costs.overtakes_layer(layer):,.0f}"),
                [part(layer, length) for length in LENGTHS],
            )
            for name, layer in MODELS.items()
        ]
    if meets is None or not LENGTHS[0] <= meets <= LENGTHS[-1]:
        return []
    return [Meeting(_along(meets), say("costs.sheet.meeting", n=f"{meets:,.0f}"))]


def _along(length: float) -> float:
    """The place of a length, from 0 to 1, where each step doubles it."""
    return log2(length / LENGTHS[0]) / log2(LENGTHS[-1] / LENGTHS[0])
