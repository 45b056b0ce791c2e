"""The pairs of features of a query and a key with rotary positions, as rotating arrows: a few beside the score at each
distance, or all of them."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import torch

from attention.analysis.moved_positions import D_MODEL, Turned, scores, turned
from attention.positions import frequencies
from pages.shell.component.turning import Turning
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.fields import Choice
from pages.shell.state.todays_controls import Positions
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

# The largest distance of two words on the line.
_FAR = 63
# The large pairs (from 0): fast ones, whose rotation is visible from place to place, and slower ones.
_LARGE = (0, 2, 4, 6)


def _generator() -> torch.Generator:
    """The same draw as in the other figures of the page."""
    return torch.Generator().manual_seed(7)


@cache
def _curve(base: str, turning: str) -> tuple[float, ...]:
    """The score at each distance from -_FAR to _FAR. The cache holds a few bases, each with a few numbers of
    features."""
    distance = torch.arange(-_FAR, _FAR + 1)
    made = scores(
        "rotary", distance.clamp(min=0), (-distance).clamp(min=0), _generator(), base=float(base), turning=int(turning)
    )
    return tuple(made.tolist())


@cache
def most() -> float:
    """The largest absolute score over all distances, bases and numbers of rotated features: the axis stays while a
    slider moves."""
    knobs = Positions.knobs()
    offered = [knob.options for knob in (knobs["pos_base"], knobs["pos_turning"]) if isinstance(knob, Choice)]
    return max(abs(score) for base, turning in product(*offered) for score in _curve(base, turning))


def turning(screen: Screen) -> Iterator[Block]:
    """A few pairs as two arrows in a circle; beside them the score at each distance, with the present one marked."""
    chosen = screen.own(Positions)
    made = turned_now(chosen)
    pairs = len(made.products)
    numbers: dict[str, Any] = {"pairs": pairs, "score": fixed(made.score), "turns": made.turns}
    which = "nothing" if not made.turns else "some" if made.turns < pairs else "circles"
    yield blocks.figures(
        _drawn(
            chosen,
            made,
            "turning",
            (say("positions.circles"), say(f"positions.{which}_note", **numbers)),
            _LARGE,
            _curve(chosen.pos_base, chosen.pos_turning),
        )
    )


def pairs(screen: Screen) -> Iterator[Block]:
    """All pairs, each with its part of the score."""
    chosen = screen.own(Positions)
    made = turned_now(chosen)
    told = (say("positions.pairs"), say("positions.sum", score=fixed(made.score)))
    yield blocks.figures(_drawn(chosen, made, "pairs", told, range(len(made.products)), ()))


def turned_now(chosen: Positions) -> Turned:
    """All pairs of the two words at their places."""
    return turned(
        chosen.pos_query,
        chosen.pos_key,
        _generator(),
        base=float(chosen.pos_base),
        turning=int(chosen.pos_turning),
    )


def _drawn(
    chosen: Positions, made: Turned, id: str, told: tuple[str, str], shown: Sequence[int], curve: Sequence[float]
) -> Turning:
    """The figure of some pairs. told: title and note."""
    products = made.products.tolist()
    adds = list(map(fixed, products))
    others = len(adds) - len(shown)
    below, short = zip(*_speeds(chosen), strict=True) if curve else (adds, adds)
    labels = {
        "kind": say(f"positions.{id}_kind"),
        "keys": say("positions.circles_keys"),
        "query": say("positions.query"),
        "key": say("positions.key"),
        "pair": say("positions.pair"),
        "adds": say("positions.adds"),
        "sum": say("positions.sum", score=fixed(made.score)),
        "score": fixed(made.score),
        "scores": say("positions.scores"),
        "distance": say("positions.from_key", key=say("positions.key"), query=say("positions.query")),
        "still": say("positions.still", still=fixed(made.still)),
        "parts": say("positions.parts"),
        "rest": say("positions.rest", count=others),
        "rest_adds": fixed(_rest(made.score, [products[pair] for pair in shown])),
        "total": say("positions.total", score=fixed(made.score)),
    }
    return Turning(
        id,
        *told,
        made,
        shown,
        below,
        short,
        adds,
        chosen.pos_query - chosen.pos_key,
        curve,
        most(),
        labels,
    )


def _rest(score: float, parts: Sequence[float]) -> float:
    """The sum of the other pairs: the difference of the rounded numbers, so that the written ones add up."""
    return round(score, 2) - sum(round(part, 2) for part in parts)


def _speeds(chosen: Positions) -> list[tuple[str, str]]:
    """The rotation of each pair from one place to the next, in words and in a short form."""
    turning = int(chosen.pos_turning)
    turns = [math.degrees(one) for one in frequencies(turning, base=float(chosen.pos_base)).tolist()] if turning else []
    said = [
        (say("positions.speed", angle=_short(angle)), say("positions.speed_short", angle=_short(angle)))
        for angle in turns
    ]
    stays = say("positions.stays_here")
    return said + [(stays, stays)] * (D_MODEL // 2 - len(turns))


def _short(angle: float) -> str:
    return f"{angle:.0f}" if angle >= 10 else f"{angle:.2g}"
