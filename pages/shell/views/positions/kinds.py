"""The score of two words under five kinds of positions, side by side: both move, or the query alone."""

from collections.abc import Iterator
from functools import cache

import torch
from torch import Tensor

from attention.analysis.moved_positions import KINDS, every_place
from pages.shell.component.kinds import Kind, Kinds
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Positions
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.positions.circles import most
from pages.shell.views.positions.two_words import MOST

# Scores that differ by no more are the same; and what an axis spans at least.
_SAME, _LEAST = 1e-9, 1.0


def kinds(screen: Screen) -> Iterator[Block]:
    """Each score along the line; where it is the same at every place, that is written at it."""
    chosen = screen.own(Positions)
    query, key = chosen.pos_query, chosen.pos_key
    made = []
    for kind in KINDS:
        scores = _scores(kind, chosen.pos_base, chosen.pos_turning)
        here = float(scores[query, key])
        both = [
            float(scores[at, at - query + key]) if 0 <= at - query + key <= MOST else None for at in range(MOST + 1)
        ]
        made.append(
            Kind(
                say(f"positions.short.{kind}"),
                say("positions.of_two", score=fixed(here)),
                _ends(kind, scores),
                both,
                scores[:, key].tolist(),
                (depends_on_distance(scores), bool((scores - here).abs().max() < _SAME)),
            )
        )
    words = {"query": say("positions.query"), "key": say("positions.key")}
    labels = {
        "both": say("positions.move_both"),
        "one": say("positions.move_one", **words),
        "place": say("positions.place_of", **words),
        "stays": say("positions.same_everywhere"),
        "named": say("positions.kinds"),
        "score": say("positions.score"),
        "kind": say("positions.kinds_kind"),
        "keys": say("positions.kinds_keys"),
    }
    note = say("positions.same", names=listed("comma", [each.name for each in made if each.stays[0]]))
    yield blocks.figures(Kinds("kinds", say("positions.five"), note, made, query, key, labels))


@cache
def _scores(kind: str, base: str, turning: str) -> Tensor:
    """Nobody may change it. Of the draw that the other figures of the page have, too."""
    generator = torch.Generator().manual_seed(7)
    return every_place(kind, MOST + 1, generator, base=float(base), turning=int(turning))


def depends_on_distance(scores: Tensor) -> bool:
    """Whether scores (query, key) stay when both words move: one step along the line changes none of them."""
    return bool((scores[1:, 1:] - scores[:-1, :-1]).abs().max() < _SAME)


def _ends(kind: str, scores: Tensor) -> tuple[float, float]:
    """The ends of the axes of a kind, 0 among them: they stay while a slider moves."""
    if kind == "rotary":
        return -most(), most()
    low, high = min(float(scores.min()), 0.0), max(float(scores.max()), 0.0)
    spare = max(_LEAST - (high - low), 0.0) / 2
    return low - spare, high + spare
