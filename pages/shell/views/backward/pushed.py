"""What is said of a push: the strongest one of an answer, why it is small, what other answers do to the same weight."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs import backward, learned, one_word
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import answer, since, strength
from pages.shell.views.blocks import Block

# How strong another answer's push the other way is at least, as a share of the strongest one, to be named.
_AGAINST = 0.5
# An answer with this probability is given; a head with this weight on one word has settled.
_LIKELY, _SETTLED = 0.5, 0.8


@dataclass(frozen=True)
class Strongest:
    """The strongest push of an answer: on the score of which word in which head, both from 0."""

    push: float
    head: int
    key: int


def said(run: Run, question: int | None, row: int, strongest: Strongest, times: int) -> str:
    """What the layer is asked of a word, how likely the right answer is, and the strongest push; of a word without a
    question, that nothing pushes. times: how many times as long pushes are drawn."""
    one = _one(run, question, row)
    if one is None:
        return say("backward.answer.nothing", word=naming.of_query(run, row))
    sure = answer.sure(run, row, one.question)
    asked = say("backward.answer.asked", word=naming.of_query(run, row), question=asking.name_of(one.question))
    told = {"when": _when(run), "answer": answer.right_named(run, one), "share": fixed(sure)}
    if abs(strongest.push) * times < strength.SIZES[0]:
        if sure >= strength.RIGHT:
            return listed("sentence", (asked, say(f"backward.answer.{'done' if _is_over(run) else 'calm'}", **told)))
        return listed("sentence", (asked, _given(run, row, one), say("backward.answer.stuck", **told)))
    kind = "more" if strongest.push > 0 else "less"
    push = say(f"backward.answer.{kind}", **told, head=strongest.head + 1, key=naming.of_key(run, strongest.key))
    return listed("sentence", (asked, _given(run, row, one), push))


def _given(run: Run, row: int, one: Asked) -> str:
    """What the layer answers instead of the right answer, or that it answers right."""
    given, most, is_right = answer.given(run, row, one.question)
    if is_right:
        return say("backward.answer.says_right", given=given)
    return say("backward.answer.says_wrong", given=given, most=fixed(most))


def beside(run: Run, question: int | None, row: int, strongest: Strongest, times: int) -> Iterator[Block]:
    """What else there is to be said: what the last updates did, why pushes are small, which answer pushes against the
    strongest one; where no arrow is left, the way to some."""
    one = _one(run, question, row)
    if one is None:
        # Empty, too: what stands below it stays where it is while the training is played.
        yield blocks.text("")
        return
    has_arrow = abs(strongest.push) * times >= strength.SIZES[0]
    now = [
        *(_small(run, row, one, times) if times > 1 else ()),
        *(_against(run, row, one, strongest) if has_arrow and times == 1 else ()),
    ]
    lines = [since.said(run, row, one), listed("sentence", now) if now else ""]
    yield blocks.text("\n\n".join(line for line in lines if line))
    if not has_arrow:
        yield from since.onward(run)


def _small(run: Run, row: int, one: Asked, times: int) -> Iterator[str]:
    """Why the pushes are small: it matters little who gets the weight, or softmax lets little through."""
    yield say("backward.small.drawn", times=times)
    if not answer.is_on_the_way(run):
        return
    best = one_word.best(run, row, one.question)
    heads = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].max(-1).values
    if best < _LIKELY:
        yield say("backward.small.alike", answer=answer.right_named(run, one), best=fixed(best))
        made = backward.found(run, Goal("answer", (ANSWER, row, one.question)), row)
        sizes = {id: float(made.gradients[id].value.norm()) for id in ("w_v", "w_q", "w_k")}
        if sizes["w_v"] > 2 * max(sizes["w_q"], sizes["w_k"]):
            yield say("backward.small.values", **{id: digits(size, 2) for id, size in sizes.items()})
    elif float(heads.min()) >= _SETTLED:
        yield say("backward.small.settled", least=fixed(heads.min()))


def _one(run: Run, question: int | None, row: int) -> Asked | None:
    return next((one for one in answer.asked(run, row) if one.question == question), None)


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


def _is_over(run: Run) -> bool:
    """Whether no part of the training of its layer is left, as far as it is known."""
    setting = learned.used(run.config)
    return setting is None or setting.taken is None


def _when(run: Run) -> str:
    setting = learned.used(run.config) if answer.is_trained(run) else None
    return say("backward.answer.after", updates=setting.updates) if setting else say("backward.answer.here")
