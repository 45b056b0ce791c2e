"""The score of two words under five kinds of positions, as both words move, then one of them: each guessed first, and
found by dragging."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import torch

from attention.analysis.moved_positions import KINDS
from pages.shell.component.kinds import BLIND, CHANGES, MOVES, OPEN, RESTLESS, STAYS, VERDICTS, Kind, Kinds
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Positions
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.positions.every_place import ends, of
from pages.shell.views.positions.how import how
from pages.shell.views.positions.two_words import MOST

# The two guesses: which scores stay as both words move, and which change as one moves alone.
_BOTH, _ALONE = "keeps", "varies"
# The behaviour of this kind as both words move is shown from the start; the others are asked about.
_EXAMPLE = "sinusoidal"
# A smaller difference of scores counts as none.
_SAME = 1e-9
# A drag that ends this many places before the right end counts as complete.
_NEARLY = 4


def kinds(screen: Screen) -> Iterator[Block]:
    """Each score along the line as far as the words have moved from its left end; at the right end, the verdict whether
    it stays. Before that, the kinds whose scores stay can be guessed, and then those that change as one word moves
    alone. For that word, each score from the other word's place on, and the verdict whether it changes with the
    distance."""
    chosen = screen.own(Positions)
    query, key, verdicts = chosen.pos_query, chosen.pos_key, _verdicts(chosen)
    # The verdict belongs to the guess about the words that have moved.
    guessed = guess.several(screen, _ALONE if chosen.pos_alone and OPEN not in verdicts.values() else _BOTH, KINDS)
    judged = _judged(chosen, guessed) if guessed and OPEN not in verdicts.values() else {}
    asked = _BOTH if OPEN in verdicts.values() else "" if chosen.pos_alone else _ALONE
    ticked = guess.several(screen, asked, KINDS)
    if asked == _BOTH and _is_example(chosen):
        verdicts = {**verdicts, _EXAMPLE: _verdict(chosen, _EXAMPLE)}
    made = [
        Kind(
            say(f"positions.short.{kind}"),
            say(f"positions.why.{kind}"),
            say("positions.of_two", score=fixed(float(of(chosen, kind)[query, key]))),
            [_curve(chosen, kind).get(at) for at in range(MOST + 1)],
            verdict,
            kind in guessed,
            judged.get(kind, ""),
            kind in ticked if _is_asked(asked, kind) else None,
            guess.with_or_without(screen, asked, kind, KINDS) if _is_asked(asked, kind) else {},
            asked == _BOTH and verdict != OPEN,
            *how(chosen, kind),
            _reason(chosen, kind, verdict),
        )
        for kind, verdict in verdicts.items()
    ]
    labels = {
        "place": _place(chosen),
        "guess": say("positions.does.changes" if asked == _ALONE else "positions.guess"),
        "guessed": say("positions.guessed"),
        "not_guessed": say("positions.not_guessed"),
        "named": say("positions.kinds"),
        "score": say("positions.score"),
        "verdict": say("positions.one_moves" if chosen.pos_alone else "positions.both_move"),
        "reason": say("positions.because"),
        "kind": say("positions.kinds_kind"),
        "keys": say("positions.kinds_keys"),
    } | {verdict: say(f"positions.does.{verdict}") for verdict in VERDICTS}
    note = _said(chosen)
    if judged:
        right = list(judged.values()).count("right")
        note = listed("sentence", (say("positions.total_right", right=right, of=len(judged)), note))
    start, at = {"": (0, query), "query": (key, query), "key": (query, key)}[chosen.pos_alone]
    yield blocks.figures(Kinds("kinds", say("positions.five"), note, made, start, at, (query, key), ends(), labels))


def _is_asked(asked: str, kind: str) -> bool:
    """Whether the page asks about a kind now."""
    return bool(asked) and (asked, kind) != (_BOTH, _EXAMPLE)


def _is_example(chosen: Positions) -> bool:
    """Whether both words move, and have room to."""
    return not chosen.pos_alone and abs(chosen.pos_query - chosen.pos_key) < MOST


def _place(chosen: Positions) -> str:
    """The name of the lower axes."""
    if not chosen.pos_alone:
        return say("positions.place")
    return say("positions.place_of", word=say("positions.query" if chosen.pos_alone == "query" else "positions.key"))


def _judged(chosen: Positions, guessed: Collection[str]) -> dict[str, str]:
    """The verdict on the guess about each kind: that its score stays as both words move, or changes as one does."""
    found = {
        kind: not _is_same(list(_curve(chosen, kind).values())) if chosen.pos_alone else _stays(chosen, kind)
        for kind in KINDS
    }
    asked = _ALONE if chosen.pos_alone else _BOTH
    return {kind: "right" if found[kind] == (kind in guessed) else "wrong" for kind in KINDS if _is_asked(asked, kind)}


def _verdicts(chosen: Positions) -> Mapping[str, str]:
    """The verdict of each kind. Words at both ends cannot have moved together; if one has moved alone, the other one's
    place shows whether they had come far."""
    query, key = chosen.pos_query, chosen.pos_key
    if chosen.pos_alone:
        is_over = (key if chosen.pos_alone == "query" else query) > MOST / 2
    else:
        is_over = max(query, key) >= MOST - _NEARLY and min(query, key) > 0
    return {kind: _verdict(chosen, kind) if is_over else OPEN for kind in KINDS}


def _verdict(chosen: Positions, kind: str) -> str:
    stays = _stays(chosen, kind)
    if not chosen.pos_alone:
        return STAYS if stays else CHANGES
    return RESTLESS if not stays else BLIND if _is_same(list(_curve(chosen, kind).values())) else MOVES


def _reason(chosen: Positions, kind: str, verdict: str) -> str:
    """The reason for the behaviour of a score; rotary positions without rotated pairs are no positions."""
    if verdict == OPEN:
        return ""
    if kind == "rotary" and chosen.pos_turning == "0":
        return say("positions.reason.still")
    return say(f"positions.reason.{kind}.{'alone' if chosen.pos_alone else 'both'}")


def _stays(chosen: Positions, kind: str) -> bool:
    """Whether a score stays as both words move, at any distance: words at both ends have no room to move."""
    scores = of(chosen, kind)
    return float((scores[1:, 1:] - scores[:-1, :-1]).abs().max()) < _SAME


def _is_same(scores: list[float]) -> bool:
    return max(scores) - min(scores) < _SAME


def _curve(chosen: Positions, kind: str) -> dict[int, float]:
    """The score of the two words by place of the word that moves alone, or of the query if both move."""
    if not chosen.pos_alone:
        return _both(chosen, kind)
    scores = of(chosen, kind)
    along = scores[:, chosen.pos_key] if chosen.pos_alone == "query" else scores[chosen.pos_query]
    return dict(enumerate(along.tolist()))


def _both(chosen: Positions, kind: str) -> dict[int, float]:
    """The score of two words at their present distance, by place of the query."""
    scores, places = of(chosen, kind), torch.arange(MOST + 1)
    keys = places - chosen.pos_query + chosen.pos_key
    on = (keys >= 0) & (keys <= MOST)
    return dict(zip(places[on].tolist(), scores[places[on], keys[on]].tolist(), strict=True))


def _said(chosen: Positions) -> str:
    """The kinds whose scores have stayed, after the words have moved from end to end; what each kind depends on, after
    one has moved alone."""
    verdicts = _verdicts(chosen)

    def named(verdict: str) -> str:
        return with_and([say(f"positions.short.{kind}") for kind, one in verdicts.items() if one == verdict])

    if OPEN in verdicts.values():
        is_apart = abs(chosen.pos_query - chosen.pos_key) == MOST
        return say("positions.too_far" if is_apart else "positions.to_the_end")
    if not chosen.pos_alone:
        return say("positions.kept", names=named(STAYS), key=say("positions.key"))
    told = (
        say("positions.same", names=named(MOVES)),
        *_directed(chosen, [kind for kind, one in verdicts.items() if one == MOVES]),
    )
    return listed("sentence", told)


def _directed(chosen: Positions, kinds: Sequence[str]) -> Iterator[str]:
    """The kinds whose score changes when the two words change places."""
    made = [kind for kind in kinds if float((of(chosen, kind) - of(chosen, kind).T).abs().max()) >= _SAME]
    if made:
        yield say("positions.directed", names=with_and([say(f"positions.short.{kind}") for kind in made]))
