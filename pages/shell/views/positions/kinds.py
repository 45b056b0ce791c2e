"""The score of two words under five kinds of positions, as both words move: guessed, and found by a drag."""

from collections.abc import Iterator, Mapping
from functools import cache

import torch
from torch import Tensor

from attention.analysis.moved_positions import KINDS, every_place
from pages.shell.component.kinds import BLIND, CHANGES, OPEN, STAYS, VERDICTS, Kind, Kinds
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Positions
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.positions.circles import most
from pages.shell.views.positions.two_words import MOST

# Scores that differ by no more are the same.
_SAME = 1e-9
# Places before the right end at which a reader has dragged to the end.
_NEARLY = 4


def kinds(screen: Screen) -> Iterator[Block]:
    """Each score along the line as far as the words have come from its left end; at the right end, whether it does what
    one wants of positions: to stay as both words move, and to be another at another distance. Until then, which of them
    stay can be guessed."""
    chosen = screen.own(Positions)
    guessed = guess.several(screen, "keeps", KINDS)
    query, key, verdicts = chosen.pos_query, chosen.pos_key, _verdicts(chosen)
    made = [
        Kind(
            say(f"positions.short.{kind}"),
            say(f"positions.why.{kind}"),
            say("positions.of_two", score=fixed(float(_of(chosen, kind)[query, key]))),
            [_both(chosen, kind).get(at) for at in range(MOST + 1)],
            verdict,
            kind in guessed,
            guess.with_or_without(screen, "keeps", kind, KINDS),
        )
        for kind, verdict in verdicts.items()
    ]
    labels = {
        "place": say("positions.place"),
        "guess": say("positions.guess"),
        "guessed": say("positions.guessed"),
        "named": say("positions.kinds"),
        "score": say("positions.score"),
        "verdict": say("positions.both_move"),
        "kind": say("positions.kinds_kind"),
        "keys": say("positions.kinds_keys"),
    } | {verdict: say(f"positions.does.{verdict}") for verdict in VERDICTS}
    yield blocks.figures(Kinds("kinds", say("positions.five"), _said(chosen), made, query, _ends(), labels))


def _verdicts(chosen: Positions) -> Mapping[str, str]:
    """By kind. Words that stand at both ends cannot have moved together."""
    is_over = max(chosen.pos_query, chosen.pos_key) >= MOST - _NEARLY and min(chosen.pos_query, chosen.pos_key) > 0
    return {kind: _verdict(chosen, kind) if is_over else OPEN for kind in KINDS}


def _verdict(chosen: Positions, kind: str) -> str:
    if not _is_same(list(_both(chosen, kind).values())):
        return CHANGES
    return BLIND if _is_same(_of(chosen, kind)[:, chosen.pos_key].tolist()) else STAYS


def _is_same(scores: list[float]) -> bool:
    return max(scores) - min(scores) < _SAME


def _both(chosen: Positions, kind: str) -> dict[int, float]:
    """The score of two words as far apart as they are, by place of the query."""
    scores, places = _of(chosen, kind), torch.arange(MOST + 1)
    keys = places - chosen.pos_query + chosen.pos_key
    on = (keys >= 0) & (keys <= MOST)
    return dict(zip(places[on].tolist(), scores[places[on], keys[on]].tolist(), strict=True))


def _said(chosen: Positions) -> str:
    """Which kinds go by the distance, once the words have moved from end to end."""
    verdicts = _verdicts(chosen)

    def named(verdict: str) -> str:
        return with_and([say(f"positions.short.{kind}") for kind, one in verdicts.items() if one == verdict])

    if OPEN in verdicts.values():
        is_apart = abs(chosen.pos_query - chosen.pos_key) == MOST
        return say("positions.too_far" if is_apart else "positions.to_the_end")
    parts = [say("positions.same", names=named(STAYS))]
    if BLIND in verdicts.values():
        parts.append(say("positions.blind", names=named(BLIND), key=say("positions.key")))
    return listed("sentence", parts)


def _of(chosen: Positions, kind: str) -> Tensor:
    return _scores(kind, chosen.pos_base, chosen.pos_turning)


@cache
def _scores(kind: str, base: str, turning: str) -> Tensor:
    """Nobody may change it. Of the draw that the other figures of the page have, too."""
    generator = torch.Generator().manual_seed(7)
    return every_place(kind, MOST + 1, generator, base=float(base), turning=int(turning))


@cache
def _ends() -> tuple[float, float]:
    """The ends of the scale of all kinds: they stay while words move, with rotary positions of any base."""
    given = Positions()
    made = torch.stack([_of(given, kind) for kind in KINDS])
    return min(-most(), float(made.min())), max(most(), float(made.max()))
