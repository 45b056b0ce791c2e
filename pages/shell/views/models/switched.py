"""Heads with switches: each alone, and the opened one together with all that do the same."""

from collections.abc import Collection, Iterator, Sequence

from pages.shell.component.switched_rows import Switch, SwitchedRows
from pages.shell.i18n import listed, say
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, last_word, sizes_of
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models import needed, pushing, relay
from pages.shell.views.models.alone import Head, answer, beside, is_measured, left_of, requests, sets
from pages.shell.views.models.common import asks_at, name, request, soon, spelled, two
from pages.shell.views.models.offered import Offered, asks, effects, offered, opened, unmeasured
from pages.shell.views.models.tried import noted
from pages.shell.views.registry import NotYetError, named

# A change of the answer from which on it counts as much.
_MUCH = 0.1


@named("models.offered")
def heads(screen: Screen) -> Iterator[Block]:
    """A click on a line opens the head; a switch takes it out of the model and opens it too. The list waits until the
    head that the answer needs most is known, which is among them."""
    wanted = request(screen)
    found = soon(wanted)
    if found is None:
        return
    if (experiment := unmeasured(wanted)) is not None:
        raise NotYetError(experiment)
    shown, query = offered(screen, found), asks_at(screen, found)
    tokens = spelled(wanted.model, found.tokens)
    called, guessed = _called(wanted, shown, tokens, query), needed.guessed(screen) is not None
    before, at = left_of(screen, ()), opened(screen, shown)
    guesses, told, pushes = needed.guesses(screen, shown), needed.told(screen, shown), pushing.pushes(screen)
    notes = [say("models.offered.note", word=tokens[query])]
    if told and pushes is not None:
        notes.append(pushing.note(screen))
    yield blocks.figures(
        SwitchedRows(
            "offered",
            say("models.offered.title", shown=len(shown), count=found.weights.shape[0] * found.weights.shape[1]),
            needed.asking(screen, shown),
            listed("sentence", notes),
            tokens,
            at,
            asks(shown, found, query),
            [name(*one.at) for one in shown],
            called,
            [needed.seen(screen, one.at) for one in shown],
            [_switch(screen, found, one.at, what, told) for one, what in zip(shown, called, strict=True)],
            guesses,
            before or 0.0,
            (
                say("models.offered.on"),
                "" if before is None else say("models.offered.left", word=answer(wanted)),
                say("models.carried.column") if told and pushes is not None else "",
            ),
            say("models.offered.this"),
        ),
        click={},
    )
    if guessed and before is not None:
        yield blocks.text(needed.verdict(screen, shown))
    if not needed.is_open(guesses):
        # If two lines have the same work, one of them has the heads of the group.
        same = max((one for one in shown if one.job == shown[at].job), key=lambda one: len(one.like))
        every = (*_alike(screen, same), *_all_on(screen))
        if every:
            yield blocks.buttons(*every, said=_together(screen, shown))
        yield from relay.onward(screen, found)


def _alike(screen: Screen, one: Offered) -> Iterator[tuple[str, None, dict[str, str]]]:
    """The button of all heads that do the same as one, until they are off."""
    given = None if {*one.like} <= {*request(screen).off} else sets(screen, one.like)
    if len(one.like) > 1 and given is not None:
        yield say("models.offered.alike", count=len(one.like), what=one.what), None, given | noted(screen, one.like)


def _all_on(screen: Screen) -> Iterator[tuple[str, None, dict[str, str]]]:
    if request(screen).off:
        yield say("all_heads.all_on"), None, {"model_off": ""}


def asked(screen: Screen, found: Outputs, *, later: bool = False) -> list[Request]:
    """The requests for the lines of a screen; later: for their possible next ones, a run for each head."""
    wanted = request(screen)
    if not is_measured(wanted):
        return []
    shown = offered(screen, found)
    is_told = later or needed.guessed(screen) is not None
    alone = [(one.at,) for one in shown if is_told or one.at in wanted.off]
    return requests(wanted, [(), wanted.off, *alone], beside(screen))


def _called(wanted: Request, shown: Sequence[Offered], tokens: Sequence[str], query: int) -> list[str]:
    """The names of the lines. A head that takes from a word does so for the last one. The opened head may do the same
    as another one; no two lines have one name."""
    last = last_word(len(tokens), is_causal=sizes_of(wanted.model).causal)
    made: list[str] = []
    for one in shown:
        what = say("models.takes_for", word=one.word, last=tokens[last]) if one.word and query != last else one.what
        made.append(say("models.offered.too", what=what) if what in made else what)
    return made


def _switch(screen: Screen, found: Outputs, head: Head, what: str, told: Collection[Head]) -> Switch:
    """The switch of a head, which also opens it unless the picture shows it already, and the rest of the answer without
    that head alone, once that is told, even if several are off. After a guess the others show a question mark."""
    is_asked = needed.guessed(screen) is not None
    is_on, given, pushes = head not in request(screen).off, sets(screen, (head,)), pushing.pushes(screen)
    if given is not None:
        given |= noted(screen, [head])
        given |= {} if head == relay.in_picture(screen, found) else needed.seen(screen, head)
    if head not in told:
        return Switch(is_on, given, what, None, "?" if is_asked and given is not None else "")
    rest = left_of(screen, (head,))
    written = "" if rest is None else two(rest)
    push = None if pushes is None else float(pushes[head])
    named = listed("comma", filter(None, (what, written)))
    return Switch(is_on, given, named, rest, written, push, "" if push is None else pushing.signed(push))


def _together(screen: Screen, shown: Sequence[Offered]) -> str:
    """The rest of the answer without all heads that are off; if these are all that do the same, also without only one
    of them."""
    wanted = request(screen)
    off, before = wanted.off, left_of(screen, ())
    if len(off) < 2 or before is None:
        return ""
    now, one = left_of(screen, off), next((left_of(screen, (one.at,)) for one in shown if one.like == off), None)
    told = {"count": str(len(off)), "word": answer(wanted), "before": two(before), "now": two(now or 0.0)}
    if now is not None and one is not None:
        most = _most_alone(wanted, off)
        if most is not None and before - now > _MUCH + 2 * most:
            return say("models.offered.little_alone", most=two(most), **told)
        if one + _MUCH < min(now, before):
            return say("models.offered.more_left", alone=two(one), **told)
    return say("models.offered.together", **told)


def _most_alone(wanted: Request, off: Sequence[Head]) -> float | None:
    """The largest probability that one of the heads alone moves; None if it was not measured."""
    table = effects(wanted)
    if table is None:
        return None
    return max(
        float(effect)
        for layer, head, effect in table[["layer", "head", "effect"]].to_numpy()
        if (int(layer), int(head)) in {*off}
    )
