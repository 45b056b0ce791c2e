"""All computation of a layer for a text, as areas: a square of n × n pairs that grows in both directions, beside a rest
that grows in one. Above them is the share of the pairs over n, whose half is guessed on the line."""

from collections.abc import Iterator
from math import log2

from attention.analysis import costs
from attention.analysis.costs import CONTEXTS, MODELS, Layer
from pages.shell.component.sheet import Meeting, Part, Sheet, Track, Zone
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, percent
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks, guess, halfway
from pages.shell.views.blocks import Block
from pages.shell.views.costs import scale
from pages.shell.views.costs.formulas import BOTH, COUNTS, part
from pages.shell.views.costs.many import many
from pages.shell.views.halfway import LENGTHS, layers


def sheet(screen: Screen) -> Iterator[Block]:
    """Multiplications as areas, with those of half the text on the same scale."""
    chosen = screen.own(Costs)
    layer, n = layers(screen.run)[chosen.cost_model], int(chosen.cost_n)
    is_told = halfway.is_told(screen)
    track = Track(
        [part(layer, length) for length in LENGTHS],
        _along(n),
        _meetings(screen, layer) if is_told else [],
        [f"{length:,}" for length in LENGTHS],
        _asked(screen, layer),
        _guessed(screen, layer),
    )
    drawn = Sheet(
        "costs-sheet",
        say("costs.sheet.title"),
        _note(chosen, layer, is_told=is_told),
        _parts(layer, n),
        track,
        n,
        scale.most(layer, n),
        scale.before(layer, n),
        _labels(screen, layer, n),
    )
    yield blocks.figures(drawn)


def _parts(layer: Layer, n: int) -> list[Part]:
    half, once = ({name: count(layer, size) for name, count in COUNTS.items()} for size in (n // 2, n))
    whole, pairs = sum(once.values()), once["pairs"]
    return [
        Part(
            say(f"costs.part.{name}"),
            percent(count / whole),
            many(count / BOTH),
            many(half[name] / BOTH),
            f"×{digits(count / half[name])}",
            n * count / pairs,
        )
        for name, count in once.items()
    ]


def _labels(screen: Screen, layer: Layer, n: int) -> dict[str, str]:
    half, once = (sum(count(layer, size) for count in COUNTS.values()) for size in (n // 2, n))
    return {
        "part": say("costs.sheet.part"),
        "share": say("costs.sheet.share"),
        "times": say("costs.sheet.times"),
        "half": f"n/2 = {n // 2:,}",
        "once": f"n = {n:,}",
        "grown": say("costs.sheet.grown", times=digits(once / half, 2), half=f"{n // 2:,}"),
        "down": say("costs.sheet.queries", n=f"{n:,}"),
        "across": say("costs.sheet.keys_of", n=f"{n:,}"),
        "before": _before(layer, n),
        "larger": say("costs.sheet.larger", times="{{times}}"),
        "halfway": say("costs.sheet.halfway"),
        "over_n": say("costs.sheet.over_n"),
        "asked": say("costs.sheet.asked"),
        "told": _told(screen, layer),
        "kind": say("costs.sheet.kind"),
        "keys": say("costs.sheet.keys"),
    }


def _before(layer: Layer, n: int) -> str:
    """The factor to the scale before, whose picture is framed, and the length at which that picture ends."""
    before = scale.before(layer, n)
    if before is None:
        return ""
    return say("costs.sheet.before", times=scale.most(layer, n) // before, before=f"{before:,}")


def _note(chosen: Costs, layer: Layer, *, is_told: bool) -> str:
    model, n = word("cost_model", chosen.cost_model), int(chosen.cost_n)
    told = [say("costs.sheet.note", model=model, n=f"{n:,}", share=percent(part(layer, n)))]
    if is_told:
        told.append(say("costs.sheet.half_at", half=f"{costs.overtakes_layer(layer):,.0f}"))
    context = CONTEXTS.get(chosen.cost_model, n)
    if n > context:
        told.append(say("costs.sheet.beyond", model=model, context=f"{context:,}"))
    return listed("sentence", told)


def _meetings(screen: Screen, own: Layer) -> list[Meeting]:
    """The length at which the pairs are half in this layer: with the whole line after a guess; in both models after
    these were compared."""
    if guess.is_answered(screen, "costs"):
        named = {word("cost_model", name): layer for name, layer in MODELS.items()}
        return [
            Meeting(_along(half), say("costs.sheet.meeting_of", model=name, n=f"{half:,.0f}"), _shares(layer))
            for name, layer in named.items()
            for half in (costs.overtakes_layer(layer),)
        ]
    half = costs.overtakes_layer(own)
    if not LENGTHS[0] <= half <= LENGTHS[-1]:
        return []
    # The line beyond the text is shown after a guess only.
    line = [] if halfway.guessed(screen) is None else _shares(own)
    return [Meeting(_along(half), say("costs.sheet.meeting", n=f"{half:,.0f}"), line)]


def _shares(layer: Layer) -> list[float]:
    return [part(layer, length) for length in LENGTHS]


def _asked(screen: Screen, layer: Layer) -> list[Zone]:
    """The pairs of lengths that may be guessed until the answer is told; each is a place of the line."""
    if halfway.is_told(screen) or costs.overtakes_layer(layer) > LENGTHS[-1]:
        return []
    return [_zone(screen, length, str(length)) for length in halfway.zones(screen)]


def _guessed(screen: Screen, layer: Layer) -> Zone | None:
    """The guess with its verdict; a click takes it back."""
    length = halfway.guessed(screen)
    return None if length is None else _zone(screen, length, "", _verdict(layer, length))


def _zone(screen: Screen, length: int, answer: str, verdict: str = "") -> Zone:
    named = say("costs.sheet.zone", low=f"{length:,}", high=f"{2 * length:,}")
    sets = guess.given(screen, halfway.question(screen), answer)
    return Zone(_along(length), _along(2 * length), named, sets, verdict)


def _verdict(layer: Layer, length: int) -> str:
    return "right" if length <= costs.overtakes_layer(layer) <= 2 * length else "wrong"


def _told(screen: Screen, layer: Layer) -> str:
    """The result of a guess, for a wrong one with the share of the pairs at its end that is nearer to half; and the
    reason."""
    length = halfway.guessed(screen)
    if length is None:
        return ""
    if _verdict(layer, length) == "right":
        said = say("costs.guessed.right")
    elif costs.overtakes_layer(layer) > 2 * length:
        said = say("costs.guessed.early", n=f"{2 * length:,}", share=percent(part(layer, 2 * length)))
    else:
        said = say("costs.guessed.late", n=f"{length:,}", share=percent(part(layer, length)))
    return listed("sentence", (said, _why(layer)))


def _why(layer: Layer) -> str:
    """The number of pairs that cost as much as the rest of a token; as a multiple of the width, too, if it is short."""
    half, d = costs.overtakes_layer(layer), layer.d_model
    if 2 * half % d:
        return say("costs.guessed.why", half=f"{half:,.0f}")
    return say("costs.guessed.why_width", half=f"{half:,.0f}", times=f"{half / d:g}", d=f"{d:,}")


def _along(length: float) -> float:
    """The place of a length, from 0 to 1; equal steps double it."""
    return log2(length / LENGTHS[0]) / log2(LENGTHS[-1] / LENGTHS[0])
