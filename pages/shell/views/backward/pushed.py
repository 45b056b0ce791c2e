"""Sentences about pushes: the strongest one of an answer, why none has an arrow, and which answer pushes against it."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import say, with_or
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs import backward, learned, one_word
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.views import asking, naming
from pages.shell.views.backward import alone, answer, strength, why

# The least strength of another answer's opposite push to be named, as a share of the strongest one.
_AGAINST = 0.5
# An answer with this probability is given.
_LIKELY = 0.5
# A push of this share of the strongest one counts as equally strong: their numbers hardly differ.
_ALIKE = 0.95
# If each head has this weight on one word, softmax passes hardly anything on.
_SATURATED = 0.9


@dataclass(frozen=True)
class Strongest:
    """The strongest push of an answer: its score's head and word, both from 0."""

    push: float
    head: int
    key: int

    @property
    def has_arrow(self) -> bool:
        return abs(self.push) >= strength.SIZES[0]


def whys(run: Run, question: int | None, row: int, pushes: Tensor) -> list[list[str]]:
    """Why each weight (heads, keys) with an arrow has it; "" for the others."""
    one = answer.of_question(run, row, question)
    if one is None:
        return [[""] * pushes.shape[1] for _ in pushes]
    return why.said(run, row, one, pushes)


def nothing(run: Run, row: int) -> str:
    """The sentence that nothing pushes, for a word without a question."""
    return say("backward.answer.nothing", word=naming.of_query(run, row))


def way(run: Run, strongest: Strongest, pushes: Tensor) -> str:
    """The weight that would help most, and its direction; all of them if several help alike."""
    alike = (pushes.abs() >= _ALIKE * abs(strongest.push)).nonzero().tolist()
    if len(alike) < 2:
        return _way(run, "answer", strongest.push, strongest.head, strongest.key)
    first = (strongest.head, strongest.key)
    places = [first, *(each for head, key in alike if (each := (head, key)) != first)]
    return say("backward.answer.alike", ways=with_or([_way(run, "way", float(pushes[at]), *at) for at in places]))


def _way(run: Run, table: str, push: float, head: int, key: int) -> str:
    told = {"key": naming.of_key(run, key), "head": f"{head + 1}"}
    return say(f"backward.{table}.{'more' if push > 0 else 'less'}", **told)


def said(run: Run, row: int, one: Asked, strongest: Strongest, pushes: Tensor) -> str:
    """The strongest push of an answer, or why it has no arrow."""
    if strongest.has_arrow:
        return way(run, strongest, pushes)
    if answer.sure(run, row, one.question) >= strength.RIGHT:
        return say("backward.answer.calm", answer=answer.right_named(run, one))
    return _without(run, row, one, strongest)


def _without(run: Run, row: int, one: Asked, strongest: Strongest) -> str:
    """Why an answer that is not right has no arrow."""
    if answer.is_on_the_way(run):
        best = one_word.best(run, row, one.question)
        if best < _LIKELY:
            return say("backward.no_arrow.alike", best=fixed(best))
    weights = alone.weights(run, row)
    if float(weights.amax(-1).min()) >= _SATURATED and not learned.off(run.config, run.module.heads):
        head, key = divmod(int(weights.argmax()), weights.shape[1])
        told = {"head": f"{head + 1}", "weight": fixed(float(weights.max())), "key": naming.of_key(run, key)}
        return say("backward.no_arrow.saturated", **told)
    if abs(strongest.push) < strength.NOTHING:
        return say("backward.no_arrow.stuck")
    return say("backward.no_arrow.weak", push=fixed(abs(strongest.push)))


def first(run: Run, row: int, one: Asked) -> Sequence[str]:
    """The line that the values have more to learn first, as long as no single weight would make an answer likely."""
    is_right = answer.sure(run, row, one.question) >= strength.RIGHT
    if is_right or not answer.is_on_the_way(run) or one_word.best(run, row, one.question) >= _LIKELY:
        return ()
    made = backward.found(run, Goal("answer", (ANSWER, row, one.question)), row)
    sizes = {id: float(made.gradients[id].value.norm()) for id in ("w_v", "w_q", "w_k")}
    if sizes["w_v"] <= 2 * max(sizes["w_q"], sizes["w_k"]):
        return ()
    return (say("backward.no_arrow.values", **{id: digits(size, 2) for id, size in sizes.items()}),)


def against(run: Run, row: int, one: Asked, pushes: Tensor, head: int, key: int) -> Sequence[str]:
    """The first other answer of the word that pushes a weight with an arrow the other way."""
    push = float(pushes[head, key])
    if not strength.sizes(pushes)[head, key]:
        return ()
    for other in answer.asked(run, row):
        if other != one and -push * _pushed_by(run, row, other, head, key) > _AGAINST * push**2:
            told = {"question": asking.name_of(other.question), "key": naming.of_key(run, key)}
            return (say(f"backward.answer.against_{'down' if push > 0 else 'up'}", **told, head=head + 1),)
    return ()


def _pushed_by(run: Run, row: int, other: Asked, head: int, key: int) -> float:
    """The push of another answer on the same score."""
    made = backward.found(run, Goal("answer", (ANSWER, row, other.question)), row)
    return float(strength.pushes(run, made, row)[head, key])
