"""A guess which of the heads with switches the answer needs most, and the texts after it."""

from collections.abc import Sequence

from pages.shell.component.switched_rows import Guess
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import plain
from pages.shell.runs.trained.loaded import is_lacking
from pages.shell.runs.trained.request import last_word, sizes_of
from pages.shell.screen import Screen
from pages.shell.views import naming
from pages.shell.views.models import pushing, tried
from pages.shell.views.models.alone import Head, answer, beside, is_measured, left_of, requests, sets, sooner
from pages.shell.views.models.common import name, opens, place, request, soon, spelled, two
from pages.shell.views.models.offered import CLEAR, Offered

# If no head takes more than this part of the answer, none is needed.
_LITTLE = 0.1


def guessed(screen: Screen) -> Head | None:
    return next(iter(tried.answered(screen)), None)


def told(screen: Screen, shown: Sequence[Offered]) -> set[Head]:
    """The heads whose effect is told: those that are off and, after a guess, the guessed one, the most needed one,
    those that were switched since, and those without a switch here."""
    off, known = {*request(screen).off}, {*tried.answered(screen)}
    if not known:
        return off
    return off | known | {shown[_most(screen, shown)].at} | {one.at for one in shown if sets(screen, [one.at]) is None}


def guesses(screen: Screen, shown: Sequence[Offered]) -> list[Guess]:
    """The guesses, offered if the effect of each head alone can be told and no head is off, because a switch tells a
    result. A guess opens the guessed head."""
    wanted, own = request(screen), guessed(screen)
    if not is_measured(wanted) or (wanted.off and own is None):
        return []
    if own is None:
        is_known = not is_lacking(wanted.model) or all(left_of(screen, (one.at,)) is not None for one in shown)
        return [Guess(tried.given(screen, [one.at]) | seen(screen, one.at)) for one in shown] if is_known else []
    most = _most(screen, shown)
    if _is_little(screen, shown[most]):
        return [Guess(None) for _ in shown]
    return [Guess(None, "right" if at == most else "wrong" if one.at == own else "") for at, one in enumerate(shown)]


def seen(screen: Screen, head: Head) -> dict[str, str]:
    """The settings that open the touched head, at the chosen word."""
    layer, number = head
    return opens(layer + 1, number + 1) | {"cell": screen.parameters.get("cell", "")}


def is_open(guesses: Sequence[Guess]) -> bool:
    """Whether the guess is still open."""
    return any(one.sets is not None for one in guesses)


def _moved(screen: Screen, one: Offered) -> float:
    """The part of the answer that is lost without a head; for a similarity, its change."""
    before, now = left_of(screen, ()), left_of(screen, (one.at,))
    gone = 0.0 if before is None or now is None else before - now
    return gone if sizes_of(request(screen).model).causal else abs(gone)


def _most(screen: Screen, shown: Sequence[Offered]) -> int:
    return max(range(len(shown)), key=lambda at: _moved(screen, shown[at]))


def _is_little(screen: Screen, most: Offered) -> bool:
    """Whether a decoder's answer needs none of the heads, because even the strongest one takes little of it."""
    before = left_of(screen, ()) or 0.0
    return sizes_of(request(screen).model).causal and _moved(screen, most) < _LITTLE * before


def asking(screen: Screen, shown: Sequence[Offered]) -> str:
    """The question and, after the guess, the meaning of the bars."""
    wanted, before, own = request(screen), left_of(screen, ()), guessed(screen)
    if before is None:
        return ""
    if own is None and guesses(screen, shown):
        return say(
            "models.offered.guess" if sizes_of(wanted.model).causal else "models.offered.guess_similarity",
            word=answer(wanted),
        )
    if own is None and not any(one.at in wanted.off for one in shown):
        return ""
    bars = say("models.offered.bars", word=answer(wanted), before=two(before))
    is_found = own is None or {one.at for one in shown} <= told(screen, shown)
    return bars if is_found else listed("sentence", (bars, say("models.offered.find")))


def verdict(screen: Screen, shown: Sequence[Offered]) -> str:
    """The verdict on a guess, if one of the heads is needed; the effect of the most needed head; and what to try
    next."""
    before, own = left_of(screen, ()) or 0.0, guessed(screen)
    most = shown[_most(screen, shown)]
    word, now = plain(answer(request(screen))), left_of(screen, (most.at,)) or 0.0
    is_causal = sizes_of(request(screen).model).causal
    numbers = {"head": name(*most.at), "word": word, "before": two(before), "now": two(now)}
    parts = [say(f"models.most.{'word' if is_causal else 'similarity'}", **numbers)]
    if own is not None and own != most.at:
        own_now = two(left_of(screen, (own,)) or 0.0)
        parts.append(say(f"models.yours.{'stays' if own_now == two(before) else 'goes'}", now=own_now))
    following = _carried(screen, shown, most)
    # An experiment that is done already, or impossible, is not proposed.
    head = _relied_on(screen, shown)
    if head is not None and head not in request(screen).off and sets(screen, [head]) is not None:
        following.append(say("models.offered.watch", head=name(*head), opened=name(*place(screen))))
    if _is_little(screen, most):
        judged = say("models.most.little")
    else:
        judged = say("predict.right" if own == most.at else "predict.wrong")
    said = f"**{judged}** {listed('sentence', parts)}"
    return f"{said}\n\n{listed('sentence', following)}" if following else said


def _carried(screen: Screen, shown: Sequence[Offered], most: Offered) -> list[str]:
    """Another head that takes from the same word as the most needed one: as an experiment or, once told, with the push
    of each; if there is none, the sentence that the head's effect is indirect."""
    word, pushes = plain(answer(request(screen))), pushing.pushes(screen)
    if pushes is None or _is_little(screen, most):
        return []
    push = float(pushes[most.at])
    known = told(screen, shown)
    like = [(one, key) for one in shown if one is not most and (key := _both_take(screen, most, one))]
    # A head whose effect is told comes first, because it is known whether that head matters.
    for one, key in sorted(like, key=lambda pair: pair[0].at not in known)[:1]:
        named = {"other": name(*one.at), "key": plain(key)}
        if one.at not in known:
            return [naming.opened(say("models.carried.try", word=word, **named))]
        looks = naming.opened(say("models.carried.both", head=name(*most.at), **named))
        less = pushing.signed(pushes[one.at])
        return [looks, say("models.carried.pushes", word=word, push=pushing.signed(push), less=less)]
    if abs(push) < pushing.LITTLE:
        return [say("models.carried.later", head=name(*most.at), push=pushing.signed(push), word=word)]
    return []


def _both_take(screen: Screen, *heads: Offered) -> str:
    """The word with the clear majority of both heads' weights for the last word; "" for none."""
    wanted = request(screen)
    trained = soon(wanted.plain())
    if trained is None:
        return ""
    last = last_word(len(trained.tokens), is_causal=sizes_of(wanted.model).causal)
    rows = [one.row(trained, last) for one in heads]
    [key, *others] = {int(row.argmax()) for row in rows}
    is_clear = min(float(row[key]) for row in rows) >= CLEAR
    return spelled(wanted.model, trained.tokens)[key] if is_clear and not others else ""


def _relied_on(screen: Screen, shown: Sequence[Offered]) -> Head | None:
    """The head without which the opened one loses most of its clear weight for the last word: more than half."""
    wanted, (layer, head) = request(screen), place(screen)
    trained = soon(wanted.plain())
    if trained is None:
        return None
    last = last_word(len(trained.tokens), is_causal=sizes_of(wanted.model).causal)
    row = trained.weights[layer, head, last]
    key, takes = int(row.argmax()), {}
    for one in shown:
        [without, *_] = requests(wanted, [(one.at,)], beside(screen))
        found = sooner(without)
        if found is not None and found.weights.numel():
            takes[one.at] = float(found.weights[layer, head, last, key])
    at = min(takes, key=takes.__getitem__, default=None)
    is_clear = float(row[key]) >= CLEAR
    return at if at is not None and is_clear and float(row[key]) > 2 * takes[at] else None
