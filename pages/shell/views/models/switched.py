"""Heads with switches, each off alone and with all that do the same; and a guess which of them is needed most."""

from collections.abc import Iterator, Sequence
from zlib import crc32

from pages.shell.component.switched_rows import Guess, Switch, SwitchedRows
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import plain
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import is_lacking
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, last_word, requested, sizes_of
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Models
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.models.alone import Head, answer, is_measured, left, requests, sooner
from pages.shell.views.models.common import asks_at, name, opens, others, place, request, soon, spelled, two
from pages.shell.views.models.offered import CLEAR, Offered, asks, effects, offered, opened
from pages.shell.views.registry import named

_QUESTION = "needed"
# Of an answer, what is much more or less of it.
_MUCH = 0.1


@named("models.offered")
def heads(screen: Screen) -> Iterator[Block]:
    """A click on a line opens the head, a switch takes it out of the model."""
    wanted = request(screen)
    found = soon(wanted)
    if found is None:
        return
    shown, query = offered(screen, found), asks_at(screen, found)
    tokens = spelled(wanted.model, found.tokens)
    guessed, called = _guessed(screen, shown), _called(wanted, shown, tokens, query)
    before = _left(screen, ())
    yield blocks.figures(
        SwitchedRows(
            "offered",
            say("models.offered.title", count=found.weights.shape[0] * found.weights.shape[1]),
            _asking(screen, shown, guessed),
            say("models.offered.note", word=tokens[query]),
            tokens,
            opened(screen, shown),
            asks(shown, found, query),
            [name(*one.at) for one in shown],
            called,
            [opens(one.layer + 1, one.head + 1) | {"cell": screen.parameters.get("cell", "")} for one in shown],
            [_switch(screen, (one.at,), what, is_told=bool(guessed)) for one, what in zip(shown, called, strict=True)],
            [_switch(screen, one.like, what) for one, what in zip(shown, called, strict=True)],
            _guesses(screen, shown, guessed),
            before or 0.0,
            (say("models.offered.alone"), say("models.offered.alike")),
            say("models.offered.this"),
        ),
        click={},
    )
    if guessed and before is not None:
        yield blocks.text(_verdict(screen, shown, guessed))
    if wanted.off:
        said = _together(screen, shown)
        yield blocks.buttons((say("all_heads.all_on"), None, {"model_off": ""}), said=said)


def asked(screen: Screen, found: Outputs, *, later: bool = False) -> list[Request]:
    """What the model is asked for by the lines of a screen; later: what they can ask for next, a run for each head."""
    wanted = request(screen)
    if not is_measured(wanted):
        return []
    shown = offered(screen, found)
    is_told = later or bool(_guessed(screen, shown))
    alone = [(one.at,) for one in shown if is_told or one.at in wanted.off]
    alike = [one.like for one in shown if {*one.like} <= {*wanted.off}]
    return requests(wanted, [(), wanted.off, *alone, *alike], _beside(screen))


def _beside(screen: Screen) -> str:
    return others(screen.own(Models))[0]


def _left(screen: Screen, off: Sequence[Head]) -> float | None:
    """None, too, where more is changed than which heads are off: the difference would be that of the other change."""
    wanted = request(screen)
    return left(wanted, off, _beside(screen)) if is_measured(wanted) else None


def _called(wanted: Request, shown: Sequence[Offered], tokens: Sequence[str], query: int) -> list[str]:
    """What the lines are called: a head that takes from a word does it for the last one; the opened head, which stands
    last, may do what another one does more."""
    last = last_word(len(tokens), is_causal=sizes_of(wanted.model).causal)
    made: list[str] = []
    for one in shown:
        what = say("models.takes_for", word=one.word, last=tokens[last]) if one.word and query != last else one.what
        made.append(say("models.offered.too", what=what) if what in made else what)
    return made


def _switch(screen: Screen, off: Sequence[Head], what: str, *, is_told: bool = False) -> Switch:
    """The switch of some heads, and what is left without them alone: several that are off stand side by side."""
    wanted, count = request(screen), len(off)
    is_on = not {*off} <= {*wanted.off}
    rest = _left(screen, off) if is_told or not is_on else None
    said = say("models.offered.all", count=count) if count > 1 else ""
    parts = [what, said, "" if rest is None else two(rest)]
    return Switch(
        is_on,
        _sets(screen, off),
        listed("comma", [one for one in parts if one]),
        said,
        rest,
        "" if rest is None else two(rest),
        is_on and not {*off}.isdisjoint(wanted.off),
    )


def _sets(screen: Screen, off: Sequence[Head]) -> dict[str, str] | None:
    """What the switch of some heads sets; None where nobody knows what the model says then."""
    now = {*request(screen).off}
    then = now - {*off} if {*off} <= now else now | {*off}
    there = ",".join(f"{layer + 1}.{head + 1}" for layer, head in sorted(then))
    made = requested(Models.of({**screen.parameters, "model_off": there}))
    return None if is_lacking(made.model) and made not in recorded.WHOLE else {"model_off": there}


def _ids(screen: Screen, shown: Sequence[Offered]) -> list[str]:
    """The answers of the guess: heads of this text, since another one has others."""
    text = crc32(request(screen).text.encode()) % 1000
    return [f"{one.layer + 1}-{one.head + 1}-{text}" for one in shown]


def _guessed(screen: Screen, shown: Sequence[Offered]) -> str:
    return guess.guess(screen, _QUESTION, _ids(screen, shown))


def _guesses(screen: Screen, shown: Sequence[Offered], guessed: str) -> list[Guess]:
    """Asked where somebody can say what comes of each head alone."""
    wanted, ids = request(screen), _ids(screen, shown)
    if not is_measured(wanted):
        return []
    if not guessed:
        is_known = not is_lacking(wanted.model) or all(_left(screen, (one.at,)) is not None for one in shown)
        return [Guess(guess.given(screen, _QUESTION, id)) for id in ids] if is_known else []
    most = _most(screen, shown)
    verdicts = ["right" if at == most else "wrong" if id == guessed else "" for at, id in enumerate(ids)]
    return [Guess(None, verdict) for verdict in verdicts]


def _moved(screen: Screen, one: Offered) -> float:
    """How much of the answer a head alone takes with it; of a similarity, how far it moves."""
    before, now = _left(screen, ()), _left(screen, (one.at,))
    gone = 0.0 if before is None or now is None else before - now
    return gone if sizes_of(request(screen).model).causal else abs(gone)


def _most(screen: Screen, shown: Sequence[Offered]) -> int:
    return max(range(len(shown)), key=lambda at: _moved(screen, shown[at]))


def _asking(screen: Screen, shown: Sequence[Offered], guessed: str) -> str:
    """The question, and after the guess what the bars are."""
    wanted, before = request(screen), _left(screen, ())
    if before is None:
        return ""
    if not guessed and _guesses(screen, shown, ""):
        return say(
            "models.offered.guess" if sizes_of(wanted.model).causal else "models.offered.guess_similarity",
            word=answer(wanted),
        )
    return say("models.offered.bars", word=answer(wanted), before=two(before))


def _verdict(screen: Screen, shown: Sequence[Offered], guessed: str) -> str:
    """Whether a guess is right, what the head that is needed most costs, and what to try next."""
    before = _left(screen, ()) or 0.0
    most, own = shown[_most(screen, shown)], shown[_ids(screen, shown).index(guessed)]
    lefts = [_left(screen, (one.at,)) or 0.0 for one in (most, own)]
    told = {"head": name(*most.at), "word": plain(answer(request(screen))), "before": two(before), "now": two(lefts[0])}
    parts = [say("models.offered.most", **told)]
    if own is not most:
        parts.append(say("models.offered.yours", now=two(lefts[1])))

    def can_go(heads: Sequence[Head]) -> bool:
        """What is done already, or cannot be done, is not proposed."""
        return not {*heads} <= {*request(screen).off} and _sets(screen, heads) is not None

    if len(own.like) > 1 and can_go(own.like):
        parts.append(say("models.offered.now_all", count=len(own.like)))
    if (head := _relied_on(screen, shown)) is not None and can_go([head]):
        parts.append(say("models.offered.watch", head=name(*head), opened=name(*place(screen))))
    return f"**{say('predict.right' if own is most else 'predict.wrong')}** {listed('sentence', parts)}"


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
        [without, *_] = requests(wanted, [(one.at,)], _beside(screen))
        found = sooner(without)
        if found is not None and found.weights.numel():
            takes[one.at] = float(found.weights[layer, head, last, key])
    at = min(takes, key=takes.__getitem__, default=None)
    is_clear = float(row[key]) >= CLEAR
    return at if at is not None and is_clear and float(row[key]) > 2 * takes[at] else None


def _together(screen: Screen, shown: Sequence[Offered]) -> str:
    """What is left without all heads that are off; of all that do the same, beside what is left without one of them."""
    wanted = request(screen)
    off, before = wanted.off, _left(screen, ())
    if len(off) < 2 or before is None:
        return ""
    now, one = _left(screen, off), next((_left(screen, (one.at,)) for one in shown if one.like == off), None)
    told = {"count": str(len(off)), "word": answer(wanted), "before": two(before), "now": two(now or 0.0)}
    if now is not None and one is not None:
        most = _most_alone(wanted, off)
        if most is not None and before - now > _MUCH + 2 * most:
            return say("models.offered.stand_in", most=two(most), **told)
        if one + _MUCH < min(now, before):
            return say("models.offered.against", alone=two(one), **told)
    return say("models.offered.together", **told)


def _most_alone(wanted: Request, off: Sequence[Head]) -> float | None:
    """How much of the probability the one of some heads moves that moves most alone; None where nobody has measured."""
    table = effects(wanted)
    if table is None:
        return None
    return max(
        float(effect)
        for layer, head, effect in table[["layer", "head", "effect"]].to_numpy()
        if (int(layer), int(head)) in {*off}
    )
