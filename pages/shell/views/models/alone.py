"""Heads that are off and nothing else: what is left of the answer of the model as it was trained."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pages.shell.i18n import say
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import loaded
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, sizes_of
from pages.shell.views.models.common import soon, spelled, words

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


def _of(wanted: Request, off: Iterable[Head], beside: str) -> list[Request]:
    one = replace(wanted.plain(), off=tuple(sorted(off)))
    return [one] if sizes_of(wanted.model).causal else [one, one.of(beside)]
