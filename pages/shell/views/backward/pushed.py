"""What is said of a push: the strongest one of an answer, what other answers do to the same weight, and how it ends."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import backward, learned
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as computed
from pages.shell.state.config import ALL_UPDATES
from pages.shell.views import asking
from pages.shell.views.backward import answer

# How strong another answer's push the other way is at least, as a share of the strongest one, to be named.
_AGAINST = 0.5
# A difference of probabilities that is told.
_NOTABLE = 0.01
# The least weight with which a head takes a question over.
_TAKES_OVER = 0.5


def said(run: Run, question: int | None, row: int, push: float, head: int, key: int) -> str:
    """How likely the right answer of a word is, and the strongest push; of a word without a question, that nothing
    pushes. key: the word whose score is pushed."""
    one = _one(run, question, row)
    if one is None:
        return say("backward.answer.nothing", word=run.labels["query"][row])
    told = {"when": _when(run), "answer": answer.right(run, one), "share": fixed(answer.sure(run, row, one.question))}
    if abs(push) < answer.SIZES[0]:
        return say(f"backward.answer.{'done' if _is_over(run) else 'calm'}", **told)
    kind = "more" if push > 0 else "less"
    return say(f"backward.answer.{kind}", **told, head=head + 1, key=answer.named(run.labels["key"], key))


def beside(run: Run, question: int | None, row: int, push: float, head: int, key: int) -> str:
    """What else there is to be said of the strongest push: which answer pushes against it, which head takes the
    question over, and what the training has cost this answer so far; "" for nothing."""
    one = _one(run, question, row)
    if one is None or abs(push) < answer.SIZES[0]:
        return ""
    parts = (
        *_against(run, row, one, push, head, key),
        *(_taken_over(run, row, one, head) if push > 0 and key == one.target else ()),
        *_fell(run, row, one),
    )
    return listed("sentence", parts) if parts else ""


def _one(run: Run, question: int | None, row: int) -> Asked | None:
    return next((one for one in answer.asked(run, row) if one.question == question), None)


def _against(run: Run, row: int, one: Asked, push: float, head: int, key: int) -> Sequence[str]:
    """The first other answer of the word that pushes the same score the other way."""
    for other in answer.asked(run, row):
        if other != one and -push * _pushed_by(run, row, other, head, key) > _AGAINST * push**2:
            way = "down" if push > 0 else "up"
            return (say(f"backward.answer.against_{way}", question=asking.name_of(other.question), head=head + 1),)
    return ()


def _pushed_by(run: Run, row: int, other: Asked, head: int, key: int) -> float:
    """The push of another answer on the same score."""
    made = backward.found(run, Goal("answer", (ANSWER, row, other.question)), row)
    return float(answer.pushes(run, made, row)[head, key])


def _taken_over(run: Run, row: int, one: Asked, head: int) -> Iterator[str]:
    """That in the end another head than the one that is pushed there has the most weight on the right word."""
    if not answer.is_trained(run) or _is_over(run):
        return
    end = computed(replace(run.config, updates=ALL_UPDATES))
    weights = end.trace["weights"].of_heads(end.module.heads, batch=end.sentence)[:, row, one.target]
    later = int(weights.argmax())
    if later == head or float(weights[later]) < _TAKES_OVER:
        return
    numbers = {"weight": fixed(weights[later]), "left": fixed(weights[head])}
    word = answer.named(run.labels["key"], one.target)
    yield say("backward.answer.taken_over", later=later + 1, key=word, head=head + 1, **numbers)


def _fell(run: Run, row: int, one: Asked) -> Sequence[str]:
    """That the answer was likelier before the training, where it was, and which question of the word gained most."""
    if not answer.is_trained(run) or _is_over(run):
        return ()
    before, asked = computed(replace(run.config, updates="0")), answer.asked(run, row)
    gains = {each: answer.sure(run, row, each.question) - answer.sure(before, row, each.question) for each in asked}
    if gains[one] > -_NOTABLE:
        return ()
    start, most = fixed(answer.sure(before, row, one.question)), max(asked, key=lambda each: gains[each])
    if gains[most] < _NOTABLE:
        return (say("backward.answer.fell", start=start),)
    return (say("backward.answer.fell_while", start=start, question=asking.name_of(most.question)),)


def _is_over(run: Run) -> bool:
    """Whether no part of the training of its layer is left, as far as it is known."""
    setting = learned.used(run.config)
    return setting is None or setting.taken is None


def _when(run: Run) -> str:
    setting = learned.used(run.config) if answer.is_trained(run) else None
    return say("backward.answer.after", updates=setting.updates) if setting else say("backward.answer.here")
