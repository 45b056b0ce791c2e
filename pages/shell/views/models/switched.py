"""Heads with switches, each off alone and with all that do the same."""

from collections.abc import Iterator, Sequence

from pages.shell.component.switched_rows import Switch, SwitchedRows
from pages.shell.i18n import listed, say
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, last_word, sizes_of
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models import needed
from pages.shell.views.models.alone import Head, answer, beside, is_measured, left_of, requests, sets
from pages.shell.views.models.common import asks_at, name, opens, request, soon, spelled, two
from pages.shell.views.models.offered import Offered, asks, effects, offered, opened
from pages.shell.views.registry import named

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
    guessed, called = needed.guessed(screen, shown), _called(wanted, shown, tokens, query)
    before = left_of(screen, ())
    yield blocks.figures(
        SwitchedRows(
            "offered",
            say("models.offered.title", count=found.weights.shape[0] * found.weights.shape[1]),
            needed.asking(screen, shown, guessed),
            say("models.offered.note", word=tokens[query]),
            tokens,
            opened(screen, shown),
            asks(shown, found, query),
            [name(*one.at) for one in shown],
            called,
            [opens(one.layer + 1, one.head + 1) | {"cell": screen.parameters.get("cell", "")} for one in shown],
            [_switch(screen, (one.at,), what, is_told=bool(guessed)) for one, what in zip(shown, called, strict=True)],
            [_switch(screen, one.like, what) for one, what in zip(shown, called, strict=True)],
            needed.guesses(screen, shown, guessed),
            before or 0.0,
            (say("models.offered.alone"), say("models.offered.alike")),
            say("models.offered.this"),
        ),
        click={},
    )
    if guessed and before is not None:
        yield blocks.text(needed.verdict(screen, shown, guessed))
    if wanted.off:
        said = _together(screen, shown)
        yield blocks.buttons((say("all_heads.all_on"), None, {"model_off": ""}), said=said)


def asked(screen: Screen, found: Outputs, *, later: bool = False) -> list[Request]:
    """What the model is asked for by the lines of a screen; later: what they can ask for next, a run for each head."""
    wanted = request(screen)
    if not is_measured(wanted):
        return []
    shown = offered(screen, found)
    is_told = later or bool(needed.guessed(screen, shown))
    alone = [(one.at,) for one in shown if is_told or one.at in wanted.off]
    alike = [one.like for one in shown if {*one.like} <= {*wanted.off}]
    return requests(wanted, [(), wanted.off, *alone, *alike], beside(screen))


def _called(wanted: Request, shown: Sequence[Offered], tokens: Sequence[str], query: int) -> list[str]:
    """What the lines are called: a head that takes from a word does it for the last one; the opened head may do what
    another one does, too, and no two lines have one name."""
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
    rest = left_of(screen, off) if is_told or not is_on else None
    gone = len({*off} & {*wanted.off})
    which = "on" if not gone else "off" if gone == count else "some"
    said = say(f"models.group.{which}", count=count, off=gone) if count > 1 else ""
    parts = [what, said, "" if rest is None else two(rest)]
    return Switch(
        is_on,
        sets(screen, off),
        listed("comma", [one for one in parts if one]),
        said,
        rest,
        "" if rest is None else two(rest),
        0 < gone < count,
    )


def _together(screen: Screen, shown: Sequence[Offered]) -> str:
    """What is left without all heads that are off; of all that do the same, beside what is left without one of them."""
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
    """How much of the probability the one of some heads moves that moves most alone; None where nobody has measured."""
    table = effects(wanted)
    if table is None:
        return None
    return max(
        float(effect)
        for layer, head, effect in table[["layer", "head", "effect"]].to_numpy()
        if (int(layer), int(head)) in {*off}
    )
