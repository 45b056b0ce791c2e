"""Heads that are off and nothing else: what is left of the answer of the model as it was trained."""

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
    """Whether nothing is changed but which heads are off: else the difference would be that of the other change."""
    return replace(wanted, off=()) == wanted.plain()


def requests(wanted: Request, off: Sequence[Iterable[Head]], beside: str) -> list[Request]:
    """What the model is asked for, for each of some sets of heads that are off."""
    return [each for heads in off for each in _of(wanted, heads, beside)]


def left(wanted: Request, off: Iterable[Head], beside: str) -> float | None:
    """What is left of the answer without some heads: of a decoder the probability of the word that comes first as
    trained, of an encoder the similarity to the text beside it; None where nobody knows."""
    plain = soon(wanted.plain())
    found = [sooner(one) for one in _of(wanted, off, beside)]
    made = [one.output for one in found if one is not None]
    if plain is None or len(made) < len(found):
        return None
    return float(made[0][int(plain.output.argmax())] if sizes_of(wanted.model).causal else made[0] @ made[1])


def sooner(asked: Request) -> Outputs | None:
    """As `soon`, of outputs of which the file may have nothing else: until the model is loaded, it answers a guess."""
    kept = recorded.recorded(asked) if loaded(asked.model) is None else None
    return soon(asked) if kept is None else kept


def answer(wanted: Request) -> str:
    """What the answer is called: the word that comes first as trained, or the similarity."""
    plain = soon(wanted.plain())
    if plain is None or not sizes_of(wanted.model).causal:
        return say("models.offered.similarity")
    [word] = words(wanted.model, [int(plain.output.argmax())])
    return say("models.offered.word", word=spelled(wanted.model, [plain.tokens[-1], word])[1])


def beside(screen: Screen) -> str:
    """The text that the similarity of an encoder is measured against."""
    return others(screen.own(Models))[0]


def left_of(screen: Screen, off: Sequence[Head]) -> float | None:
    """As `left`, of a screen; None, too, where more is changed than which heads are off: the difference would be that
    of the other change."""
    wanted = request(screen)
    return left(wanted, off, beside(screen)) if is_measured(wanted) else None


def sets(screen: Screen, off: Sequence[Head]) -> dict[str, str] | None:
    """What the switch of some heads sets; None where nobody knows what the model says then."""
    now = {*request(screen).off}
    then = now - {*off} if {*off} <= now else now | {*off}
    there = ",".join(f"{layer + 1}.{head + 1}" for layer, head in sorted(then))
    made = requested(Models.of({**screen.parameters, "model_off": there}))
    return None if is_lacking(made.model) and made not in recorded.WHOLE else {"model_off": there}


def _of(wanted: Request, off: Iterable[Head], beside: str) -> list[Request]:
    one = replace(wanted.plain(), off=tuple(sorted(off)))
    return [one] if sizes_of(wanted.model).causal else [one, one.of(beside)]
