"""A guess which of the heads with switches the answer needs most, and what is told once it is made."""

from collections.abc import Sequence
from zlib import crc32

from pages.shell.component.switched_rows import Guess
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import plain
from pages.shell.runs.trained.loaded import is_lacking
from pages.shell.runs.trained.request import last_word, sizes_of
from pages.shell.screen import Screen
from pages.shell.views import guess
from pages.shell.views.models.alone import Head, answer, beside, is_measured, left_of, requests, sets, sooner
from pages.shell.views.models.common import name, place, request, soon, spelled, two
from pages.shell.views.models.offered import CLEAR, Offered

_QUESTION = "needed"
# Of the answer, what is so little of it that no head can be said to be needed.
_LITTLE = 0.1


def _ids(screen: Screen, shown: Sequence[Offered]) -> list[str]:
    """The answers of the guess: heads of this text, since another one has others."""
    text = crc32(request(screen).text.encode()) % 1000
    return [f"{one.layer + 1}-{one.head + 1}-{text}" for one in shown]


def guessed(screen: Screen, shown: Sequence[Offered]) -> str:
    return guess.guess(screen, _QUESTION, _ids(screen, shown))


def guesses(screen: Screen, shown: Sequence[Offered], guessed: str) -> list[Guess]:
    """Asked where somebody can say what comes of each head alone, while none is off: a switch tells a result."""
    wanted, ids = request(screen), _ids(screen, shown)
    if not is_measured(wanted) or (wanted.off and not guessed):
        return []
    if not guessed:
        is_known = not is_lacking(wanted.model) or all(left_of(screen, (one.at,)) is not None for one in shown)
        return [Guess(guess.given(screen, _QUESTION, id)) for id in ids] if is_known else []
    most = _most(screen, shown)
    if _is_little(screen, shown[most]):
        return [Guess(None) for _ in ids]
    verdicts = ["right" if at == most else "wrong" if id == guessed else "" for at, id in enumerate(ids)]
    return [Guess(None, verdict) for verdict in verdicts]


def is_open(guesses: Sequence[Guess]) -> bool:
    """Whether the guess is still to be made."""
    return any(one.sets is not None for one in guesses)


def _moved(screen: Screen, one: Offered) -> float:
    """How much of the answer a head alone takes with it; of a similarity, how far it moves."""
    before, now = left_of(screen, ()), left_of(screen, (one.at,))
    gone = 0.0 if before is None or now is None else before - now
    return gone if sizes_of(request(screen).model).causal else abs(gone)


def _most(screen: Screen, shown: Sequence[Offered]) -> int:
    return max(range(len(shown)), key=lambda at: _moved(screen, shown[at]))


def _is_little(screen: Screen, most: Offered) -> bool:
    """Whether a decoder's answer needs none of the heads, where the one that it loses most without takes little."""
    before = left_of(screen, ()) or 0.0
    return sizes_of(request(screen).model).causal and _moved(screen, most) < _LITTLE * before


def asking(screen: Screen, shown: Sequence[Offered], guessed: str) -> str:
    """The question, and after the guess what the bars are."""
    wanted, before = request(screen), left_of(screen, ())
    if before is None:
        return ""
    if not guessed and guesses(screen, shown, ""):
        return say(
            "models.offered.guess" if sizes_of(wanted.model).causal else "models.offered.guess_similarity",
            word=answer(wanted),
        )
    if not guessed and not any(one.at in wanted.off for one in shown):
        return ""
    return say("models.offered.bars", word=answer(wanted), before=two(before))


def verdict(screen: Screen, shown: Sequence[Offered], guessed: str) -> str:
    """Whether a guess is right, where one of the heads is needed; what the head that is needed most costs, and what to
    try next."""
    before = left_of(screen, ()) or 0.0
    most, own = shown[_most(screen, shown)], shown[_ids(screen, shown).index(guessed)]
    lefts = [left_of(screen, (one.at,)) or 0.0 for one in (most, own)]
    told = {"head": name(*most.at), "word": plain(answer(request(screen))), "before": two(before), "now": two(lefts[0])}
    is_causal = sizes_of(request(screen).model).causal
    parts = [say(f"models.most.{'word' if is_causal else 'similarity'}", **told)]
    if own is not most:
        own_now = two(lefts[1])
        yours = "stays" if own_now == two(before) else "goes"
        parts.append(say(f"models.yours.{yours}", now=own_now))
        if word := _both_take(screen, most, own):
            parts.append(say("models.offered.both", word=word))

    # What is done already, or cannot be done, is not proposed.
    head = _relied_on(screen, shown)
    if head is not None and head not in request(screen).off and sets(screen, [head]) is not None:
        parts.append(say("models.offered.watch", head=name(*head), opened=name(*place(screen))))
    if _is_little(screen, most):
        judged = say("models.most.little")
    else:
        judged = say("predict.right" if own is most else "predict.wrong")
    return f"**{judged}** {listed('sentence', parts)}"


def _both_take(screen: Screen, *heads: Offered) -> str:
    """The word from which both of two heads clearly take most for the last word; "" for none."""
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
    """The head without which the opened one takes least of what it clearly takes for the last word: less than half."""
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
