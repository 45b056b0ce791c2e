"""What is said of a push: the strongest one of an answer, why none has an arrow, and what pushes against it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs import backward, learned, one_word
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import alone, answer, strength, why
from pages.shell.views.blocks import Block

# How strong another answer's push the other way is at least, as a share of the strongest one, to be named.
_AGAINST = 0.5
# An answer with this probability is given.
_LIKELY = 0.5


@dataclass(frozen=True)
class Strongest:
    """The strongest push of an answer: on the score of which word in which head, both from 0."""

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


def said(run: Run, question: int | None, row: int, strongest: Strongest, whys: Sequence[Sequence[str]]) -> str:
    """The strongest push of an answer with its reason, or why it has no arrow; of a word without a question, that
    nothing pushes."""
    one = answer.of_question(run, row, question)
    if one is None:
        return say("backward.answer.nothing", word=naming.of_query(run, row))
    if strongest.has_arrow:
        told = {"key": naming.of_key(run, strongest.key), "head": f"{strongest.head + 1}"}
        way = say(f"backward.answer.{'more' if strongest.push > 0 else 'less'}", **told)
        return listed("sentence", [each for each in (way, whys[strongest.head][strongest.key]) if each])
    if answer.sure(run, row, one.question) >= strength.RIGHT:
        return say("backward.answer.calm", answer=answer.right_named(run, one))
    return _without(run, row, one, strongest)


def _without(run: Run, row: int, one: Asked, strongest: Strongest) -> str:
    """Why an answer that is not right has no arrow."""
    if abs(strongest.push) < strength.NOTHING:
        return say("backward.no_arrow.stuck")
    if answer.is_on_the_way(run):
        best = one_word.best(run, row, one.question)
        if best < _LIKELY:
            return say("backward.no_arrow.alike", best=fixed(best))
    return say("backward.no_arrow.weak", push=fixed(abs(strongest.push)))


def beside(
    run: Run, after: Run, question: int | None, row: int, strongest: Strongest, pushes: Tensor
) -> Iterator[Block]:
    """What else there is to be said: what is learned first while no weight matters, which answer pushes against the
    strongest one; or, after steps on this answer, what became of the arrows and of the other answers."""
    one = answer.of_question(run, row, question)
    if one is None:
        # Empty, too: what stands below it stays where it is.
        yield blocks.text("")
        return
    if after is not run:
        others = alone.others(run, after, row, one)
        parts = [
            *alone.arrows(run, after, row, pushes),
            *([others] if others else []),
            *alone.newly(run, after, row, one),
        ]
        yield blocks.text(listed("sentence", parts))
        return
    is_right = answer.sure(run, row, one.question) >= strength.RIGHT
    now = _against(run, row, one, strongest) if strongest.has_arrow else () if is_right else _first(run, row, one)
    learns = () if learned.off(run.config, run.module.heads) else (say("backward.alone.learns"),)
    parts = [*now, *learns]
    yield blocks.text(listed("sentence", parts) if parts else "")


def _first(run: Run, row: int, one: Asked) -> Sequence[str]:
    """That the values have more to learn first, while no weight alone would make an answer likely."""
    if not answer.is_on_the_way(run) or one_word.best(run, row, one.question) >= _LIKELY:
        return ()
    made = backward.found(run, Goal("answer", (ANSWER, row, one.question)), row)
    sizes = {id: float(made.gradients[id].value.norm()) for id in ("w_v", "w_q", "w_k")}
    if sizes["w_v"] <= 2 * max(sizes["w_q"], sizes["w_k"]):
        return ()
    return (say("backward.no_arrow.values", **{id: digits(size, 2) for id, size in sizes.items()}),)


def _against(run: Run, row: int, one: Asked, strongest: Strongest) -> Sequence[str]:
    """The first other answer of the word that pushes the same score the other way."""
    push, head, key = strongest.push, strongest.head, strongest.key
    for other in answer.asked(run, row):
        if other != one and -push * _pushed_by(run, row, other, head, key) > _AGAINST * push**2:
            told = {"question": asking.name_of(other.question), "key": naming.of_key(run, key)}
            return (say(f"backward.answer.against_{'down' if push > 0 else 'up'}", **told, head=head + 1),)
    return ()


def _pushed_by(run: Run, row: int, other: Asked, head: int, key: int) -> float:
    """The push of another answer on the same score."""
    made = backward.found(run, Goal("answer", (ANSWER, row, other.question)), row)
    return float(strength.pushes(run, made, row)[head, key])
