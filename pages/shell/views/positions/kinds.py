"""The score of two words under five kinds of positions, side by side: both move, or the query alone."""

from collections.abc import Iterator, Sequence
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

# Scores that differ by no more are the same.
_SAME = 1e-9


def kinds(screen: Screen) -> Iterator[Block]:
    """Each score along the line, and whether it does there what one wants of positions: to stay when both words move,
    and to change when one does."""
    chosen = screen.own(Positions)
    query, key = chosen.pos_query, chosen.pos_key
    made = []
    every = {kind: _scores(kind, chosen.pos_base, chosen.pos_turning) for kind in KINDS}
    for kind, scores in every.items():
        here = float(scores[query, key])
        both = [
            float(scores[at, at - query + key]) if 0 <= at - query + key <= MOST else None for at in range(MOST + 1)
        ]
        made.append(
            Kind(
                say(f"positions.short.{kind}"),
                say(f"positions.does.{kind}"),
                say("positions.of_two", score=fixed(here)),
                both,
                scores[:, key].tolist(),
                (depends_on_distance(scores), bool((scores - here).abs().max() < _SAME)),
            )
        )
    words = {"query": say("positions.query"), "key": say("positions.key")}
    labels = {
        "both": say("positions.move_both"),
        "both_wished": say("positions.should_stay"),
        "one_wished": say("positions.should_change"),
        "one": say("positions.move_one", **words),
        "place": say("positions.place_of", **words),
        "stays": say("positions.same_everywhere"),
        "changes": say("positions.changes"),
        "named": say("positions.kinds"),
        "score": say("positions.score"),
        "kind": say("positions.kinds_kind"),
        "keys": say("positions.kinds_keys"),
    }
    note = say("positions.same", names=listed("comma", [each.name for each in made if each.stays == (True, False)]))
    ends = _ends([scores for kind, scores in every.items() if kind != "rotary"])
    yield blocks.figures(Kinds("kinds", say("positions.five"), note, made, ends, query, key, labels))


@cache
def _scores(kind: str, base: str, turning: str) -> Tensor:
    """Nobody may change it. Of the draw that the other figures of the page have, too."""
    generator = torch.Generator().manual_seed(7)
    return every_place(kind, MOST + 1, generator, base=float(base), turning=int(turning))


def depends_on_distance(scores: Tensor) -> bool:
    """Whether scores (query, key) stay when both words move: one step along the line changes none of them."""
    return bool((scores[1:, 1:] - scores[:-1, :-1]).abs().max() < _SAME)


def _ends(others: Sequence[Tensor]) -> tuple[float, float]:
    """The ends of all axes, of rotary positions at any base and of the others: they stay while a slider moves."""
    low, high = (float(end) for end in torch.stack(list(others)).aminmax())
    return min(low, -most()), max(high, most())
