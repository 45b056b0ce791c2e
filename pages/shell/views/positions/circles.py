"""The pairs of features of a query and a key with rotary positions, as arrows that turn, and the score that they add up
to as a function of the distance."""

from collections.abc import Iterator
from functools import cache

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
def _curve(base: str) -> tuple[float, ...]:
    """The score at each distance from -_FAR to _FAR: one of five bases."""
    distance = torch.arange(-_FAR, _FAR + 1)
    made = scores("rotary", distance.clamp(min=0), (-distance).clamp(min=0), _generator(), base=float(base))
    return tuple(made.tolist())


@cache
def _most() -> float:
    """The largest size of a score at any distance and base: the axis stays while a slider moves."""
    bases = next(
        knob.options for name, knob in Positions.knobs().items() if name == "pos_base" and isinstance(knob, Choice)
    )
    return max(abs(score) for base in bases for score in _curve(base))


def turning(screen: Screen) -> Iterator[Block]:
    """Each pair as two arrows in a circle; beside them the score of every distance, with the place of this one."""
    chosen = screen.own(Positions)
    query, key = chosen.pos_query, chosen.pos_key
    made = turned(query, key, _generator(), base=float(chosen.pos_base))
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
    }
    note = say("positions.circles_note", distance=query - key, pairs=len(made.products), score=fixed(made.score))
    yield blocks.figures(
        Turning(
            "turning",
            say("positions.circles"),
            note,
            made,
            [fixed(product) for product in made.products.tolist()],
            query - key,
            _curve(chosen.pos_base),
            _most(),
            labels,
        )
    )
