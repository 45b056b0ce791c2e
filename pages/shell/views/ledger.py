"""Sizes, parameters and the comparison with PyTorch in one line; then the adjusted values."""

from collections.abc import Iterator, Mapping, Sequence

from attention.comparisons.parity import Comparison, against_torch
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.typed import counted

# The modules by their usual import names.
_MODULES = {"F": "torch.nn.functional", "nn": "torch.nn"}
# Arguments that the answer of a call depends on: with weights requested, a query that sees nothing is NaN.
_GIVEN = {"nn.MultiheadAttention": "(need_weights=False)"}


def ledger(screen: Screen, *, has_words: bool = True) -> Iterator[Block]:
    """The line and its notes. has_words: whether the length of the sentence belongs to the sizes."""
    yield _line(screen.run, has_words=has_words)
    yield from typed(screen)
    yield from notes(screen)


def sizes(screen: Screen) -> Iterator[Block]:
    """The line without its notes."""
    yield _line(screen.run)


def typed(screen: Screen) -> Iterator[Block]:
    """The numbers that were typed over."""
    run = screen.run
    at_home = [one for one in run.typed if one not in run.homeless]
    if at_home:
        yield blocks.text(say("by_hand.mark", parts=counted(run, at_home)))
        yield blocks.buttons((say("by_hand.reset_all"), False, {"edited": ""}))


def notes(screen: Screen) -> Iterator[Block]:
    """The adjusted values."""
    run = screen.run
    for adjusted in run.notes:
        yield blocks.note(adjusted)
    if run.homeless:
        yield blocks.note(say("by_hand.homeless", parts=counted(run, run.homeless)))


def _line(run: Run, *, has_words: bool = True) -> Block:
    """Sizes and a verdict in one word, which opens to each call of PyTorch and its result."""
    verdicts = against_torch(run.trace)
    made = [one for one in verdicts if one.difference is not None]
    word = "none" if not made else "agrees" if all(one.agrees for one in made) else "differs"
    badges = [_badge(one) for one in verdicts]
    return line(_sizes(run, has_words=has_words), word, say(f"parity.{word}"), say("parity.lead"), badges)


def line(told: str, verdict: str, word: str, lead: str, badges: Sequence[Mapping[str, str]]) -> Block:
    """A text about numbers, and beside it a verdict that opens. verdict: agrees, differs or none; word: its name; lead
    and badges: the opened part, each badge a line with its own verdict."""
    return {
        "kind": "ledger",
        "sizes": {"markdown": told},
        "verdict": verdict,
        "word": word,
        "lead": {"line": lead},
        "badges": [dict(one) for one in badges],
    }


def _sizes(run: Run, *, has_words: bool) -> str:
    module = run.module
    lengths = {"n": len(run.tokens)} if run.context is None else {"n_q": len(run.tokens), "n_k": len(run.labels["key"])}
    sizes = (lengths if has_words else {}) | ({"d_model": module.d_model} if run.has_layer else {})
    sizes |= {"h": module.heads, "d_k": module.d_k, "d_v": module.d_v}
    if run.has_layer and module.d_out != module.d_model:
        sizes["d_out"] = module.d_out
    if len(run.inputs.tokens) > 1:
        sizes = {say("ledger.batch"): len(run.inputs.tokens)} | sizes
    shapes = " · ".join(f"{name} **{size}**" for name, size in sizes.items())
    if not run.has_layer:
        return shapes
    parameters = sum(parameter.numel() for parameter in module.parameters())
    return f"{shapes} · {say('ledger.parameters', count=f'{parameters:,}')}"


def _badge(one: Comparison) -> dict[str, str]:
    module, _, call = one.name.partition(".")
    name = f"{_MODULES[module]}.{call}{_GIVEN.get(one.name, '')}"
    if one.difference is None:
        return {"verdict": "none", "line": say("badge.none", name=name, reason=say(f"reason.{one.reason}"))}
    verdict, words = ("agrees", "badge.agrees") if one.agrees else ("differs", "badge.differs")
    return {"verdict": verdict, "line": say(words, name=name, difference=apart(one.difference))}
