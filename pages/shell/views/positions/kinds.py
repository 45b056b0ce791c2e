"""The score of two words under five kinds of positions, side by side: both move, or the query alone."""

from collections.abc import Iterator, Sequence
from functools import cache

import torch
from torch import Tensor

from attention.analysis.moved_positions import KINDS, every_place
from pages.shell.component.kinds import NO, NOT_YET, SO_FAR, STATES, YES, Kind, Kinds
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Positions
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.positions.circles import most
from pages.shell.views.positions.two_words import MOST

# Scores that differ by no more are the same; how far the axis of a score goes at least.
_SAME, _LEAST = 1e-9, 1.0


def kinds(screen: Screen) -> Iterator[Block]:
    """Each score along the line as far as the words have come from its left end, and whether it does there what one
    wants of positions: to stay when both words move, and to change when one does."""
    chosen = screen.own(Positions)
    query, key = chosen.pos_query, chosen.pos_key
    made = []
    for kind in KINDS:
        scores = _scores(kind, chosen.pos_base, chosen.pos_turning)
        both = [
            float(scores[at, at - query + key]) if 0 <= at - query + key <= MOST else None for at in range(MOST + 1)
        ]
        one = scores[:, key].tolist()
        made.append(
            Kind(
                say(f"positions.short.{kind}"),
                say(f"positions.why.{kind}"),
                say("positions.of_two", score=fixed(one[query])),
                both,
                one,
                (_stays(both, query), _changes(one, query)),
                _ends(kind, scores),
            )
        )
    words = {"query": say("positions.query"), "key": say("positions.key")}
    labels = {
        "both": say("positions.move_both"),
        "both_wished": say("positions.should_stay"),
        "one_wished": say("positions.should_change"),
        "one": say("positions.move_one", **words),
        "place": say("positions.place_of", **words),
        "named": say("positions.kinds"),
        "score": say("positions.score"),
        "kind": say("positions.kinds_kind"),
        "keys": say("positions.kinds_keys"),
    } | {state: say(f"positions.does.{state}") for state in STATES}
    yield blocks.figures(Kinds("kinds", say("positions.five"), _said(made), made, query, key, labels))


def _stays(scores: Sequence[float | None], here: int) -> str:
    """Whether a score has stayed the same from the left end to here; at the right end, that is settled. At one place,
    nothing has moved."""
    seen = [score for score in scores[: here + 1] if score is not None]
    if len(seen) < 2:
        return NOT_YET
    if max(seen) - min(seen) >= _SAME:
        return NO
    return YES if all(score is None for score in scores[here + 1 :]) else SO_FAR


def _changes(scores: Sequence[float], here: int) -> str:
    """Whether a score has changed from the left end to here."""
    seen = scores[: here + 1]
    if max(seen) - min(seen) >= _SAME:
        return YES
    return NO if here == MOST else NOT_YET


def _said(made: Sequence[Kind]) -> str:
    """Which kinds go by the distance, as far as the words have come."""
    names = [each.name for each in made if each.is_as_wished]
    if not names:
        return say("positions.same_none")
    is_settled = all(SO_FAR not in each.does for each in made)
    return say("positions.same" if is_settled else "positions.same_so_far", names=listed("comma", names))


@cache
def _scores(kind: str, base: str, turning: str) -> Tensor:
    """Nobody may change it. Of the draw that the other figures of the page have, too."""
    generator = torch.Generator().manual_seed(7)
    return every_place(kind, MOST + 1, generator, base=float(base), turning=int(turning))


def _ends(kind: str, scores: Tensor) -> tuple[float, float]:
    """The ends of the axis of a kind: they stay while words move, and those of rotary positions at any base."""
    low, high = (-most(), most()) if kind == "rotary" else (float(end) for end in scores.aminmax())
    return min(low, -_LEAST), max(high, _LEAST)
