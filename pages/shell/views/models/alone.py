"""Heads that are off, without another change: the rest of the trained model's answer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pages.shell.i18n import say
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import is_lacking, loaded
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, requested, sizes_of
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Models
from pages.shell.views.models.common import others, request, soon, spelled, words

# Layer and head, from 0.
Head = tuple[int, int]


def is_measured(wanted: Request) -> bool:
    """Whether nothing is changed but the heads that are off: otherwise the other change would make the difference."""
    return replace(wanted, off=()) == wanted.plain()


def requests(wanted: Request, off: Sequence[Iterable[Head]], beside: str) -> list[Request]:
    """The requests to the model, for each of several sets of heads that are off."""
    return [each for heads in off for each in _of(wanted, heads, beside)]


def left(wanted: Request, off: Iterable[Head], beside: str) -> float | None:
    """The rest of the answer without some heads: in a decoder the probability of the trained model's first word, in an
    encoder the similarity to the text beside it; None if it is not known."""
    plain = soon(wanted.plain())
    found = [sooner(one) for one in _of(wanted, off, beside)]
    made = [one.output for one in found if one is not None]
    if plain is None or len(made) < len(found):
        return None
    return float(made[0][int(plain.output.argmax())] if sizes_of(wanted.model).causal else made[0] @ made[1])


def sooner(asked: Request) -> Outputs | None:
    """As `soon`. Before the model is loaded, a record answers a guess even if the file has nothing but these
    outputs."""
    kept = recorded.recorded(asked) if loaded(asked.model) is None else None
    return soon(asked) if kept is None else kept


def answer(wanted: Request) -> str:
    """The name of the answer: the trained model's first word, or the similarity."""
    plain = soon(wanted.plain())
    if plain is None or not sizes_of(wanted.model).causal:
        return say("models.offered.similarity")
    [word] = words(wanted.model, [int(plain.output.argmax())])
    return say("models.offered.word", word=spelled(wanted.model, [plain.tokens[-1], word])[1])


def beside(screen: Screen) -> str:
    """The text to which the similarity of an encoder is measured."""
    return others(screen.own(Models))[0]


def left_of(screen: Screen, off: Sequence[Head]) -> float | None:
    """As `left`, for a screen; None also if more is changed than the heads that are off, because the other change would
    make the difference."""
    wanted = request(screen)
    return left(wanted, off, beside(screen)) if is_measured(wanted) else None


def sets(screen: Screen, off: Sequence[Head]) -> dict[str, str] | None:
    """The settings of the switch of some heads; None if the model's output without them is not known."""
    now = {*request(screen).off}
    then = now - {*off} if {*off} <= now else now | {*off}
    there = ",".join(f"{layer + 1}.{head + 1}" for layer, head in sorted(then))
    made = requested(Models.of({**screen.parameters, "model_off": there}))
    return None if is_lacking(made.model) and made not in recorded.WHOLE else {"model_off": there}


def _of(wanted: Request, off: Iterable[Head], beside: str) -> list[Request]:
    one = replace(wanted.plain(), off=tuple(sorted(off)))
    return [one] if sizes_of(wanted.model).causal else [one, one.of(beside)]
