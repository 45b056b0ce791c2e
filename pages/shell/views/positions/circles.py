"""The pairs of features of a query and a key with rotary positions, as arrows that turn, and the score that they add up
to as a function of the distance."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import torch

from attention.analysis.moved_positions import scores, turned
from pages.shell.component.turning import Turning
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.fields import Choice
from pages.shell.state.todays_controls import Positions
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

# As far as two words of the line can be from each other.
_FAR = 63


def _generator() -> torch.Generator:
    """The draw that the other figures of the page have, too."""
    return torch.Generator().manual_seed(7)


@cache
def _curve(base: str, turning: str) -> tuple[float, ...]:
    """The score at each distance from -_FAR to _FAR: a few bases, each with a few numbers of features."""
    distance = torch.arange(-_FAR, _FAR + 1)
    made = scores(
        "rotary", distance.clamp(min=0), (-distance).clamp(min=0), _generator(), base=float(base), turning=int(turning)
    )
    return tuple(made.tolist())


@cache
def _most() -> float:
    """The largest size of a score at any distance, however many features turn at any base: the axis stays while a
    slider moves."""
    knobs = Positions.knobs()
    offered = [knob.options for knob in (knobs["pos_base"], knobs["pos_turning"]) if isinstance(knob, Choice)]
    return max(abs(score) for base, turning in product(*offered) for score in _curve(base, turning))


def turning(screen: Screen) -> Iterator[Block]:
    """Each pair as two arrows in a circle; beside them the score of every distance, with the place of this one."""
    chosen = screen.own(Positions)
    query, key = chosen.pos_query, chosen.pos_key
    made = turned(query, key, _generator(), base=float(chosen.pos_base), turning=int(chosen.pos_turning))
    pairs = len(made.products)
    labels = {
        "kind": say("positions.circles_kind"),
        "keys": say("positions.circles_keys"),
        "query": say("positions.query"),
        "key": say("positions.key"),
        "pair": say("positions.pair"),
        "adds": say("positions.adds"),
        "sum": say("positions.sum", score=fixed(made.score)),
        "score": fixed(made.score),
        "scores": say("positions.scores"),
        "distance": say("positions.distance"),
        "circles": say("positions.circles_line"),
        "still": say("positions.still", still=fixed(made.still)),
    }
    numbers: dict[str, Any] = {"distance": query - key, "pairs": pairs, "score": fixed(made.score)}
    numbers |= {"turns": made.turns, "features": 2 * made.turns, "still": fixed(made.still)}
    which = "nothing" if not made.turns else "some" if made.turns < pairs else "circles"
    note = say(f"positions.{which}_note", **numbers)
    yield blocks.figures(
        Turning(
            "turning",
            say("positions.circles"),
            note,
            made,
            [fixed(product) for product in made.products.tolist()],
            query - key,
            _curve(chosen.pos_base, chosen.pos_turning),
            _most(),
            labels,
        )
    )
