"""The questions of a word with the answers of the layer, and how one of them pushes on the scores of the word."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attention.analysis.backward import Backward
from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import backward, learned
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as computed
from pages.shell.screen import Screen
from pages.shell.views import asking, blocks
from pages.shell.views.backward import target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of

# Where a push is drawn as far as it goes, the same for all words and updates: one that is twice as long is twice as
# strong.
BOUND = 1.25
# A push that is weaker is next to nothing.
_LEAST = 0.05
# How strong another answer's push the other way is at least, as a share of the strongest one, to be named.
_AGAINST = 0.5
# A difference of probabilities that is told.
_NOTABLE = 0.01
# What the softmax reads, the last of them that a run has.
_SCORES = ("scores", "scaled", "softcapped", "biased", "masked")


def chosen(screen: Screen) -> Iterator[Block]:
    """The questions of the word, each with its right answer and how sure the layer is of it."""
    run, goal = screen.run, target.goal(screen)
    if backward.loss(run) is None:
        return
    _, row, _ = backward.goal_cell(run, goal, focus_of(run))
    picked = backward.asked_of(run, goal, focus_of(run))
    offered = [
        (
            say("backward.answer.offered", question=asking.name_of(one.question), answer=_right(run, one), share=share),
            one.question == picked,
            {"goal": "answer", "goal_at": f"{ANSWER}.{row}.{one.question}", "cell": ""},
            float(share),
        )
        for one in _asked(run, row)
        for share in (fixed(_sure(run, row, one.question)),)
    ]
    asks = (backward.right_answers(run)[run.sentence] >= 0).any(-1).nonzero().flatten().tolist()
    if offered:
        yield blocks.buttons(*offered)
    elif asks:
        yield blocks.buttons(_elsewhere(run, focus_of(run) if focus_of(run) in asks else asks[0]))


def _elsewhere(run: Run, row: int) -> tuple[str, bool, Mapping[str, str]]:
    """A word that asks something, for one that asks nothing."""
    chosen = {"goal": "answer", "goal_at": f"{ANSWER}.{row}.{first_of(run, row)}", "cell": ""}
    return say("backward.answer.elsewhere", word=run.labels["query"][row]), False, chosen


def pushes(run: Run, made: Backward, row: int) -> Tensor:
    """(heads, keys): how much more likely the right answer becomes with the score of each word, in nats."""
    read = [id for id in run.trace if id in _SCORES and id in made.gradients]
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row]
    if not read:
        return torch.zeros(weights.shape)
    found = made.gradients[read[-1]].of_heads(run.module.heads, batch=run.sentence)[:, row]
    return -found.nan_to_num().cpu().float()


def said(run: Run, question: int | None, row: int, push: float, head: int, key: int) -> str:
    """What the word is asked, how likely its right answer is, and the strongest push; of a word without a question,
    that nothing pushes. key: the word whose score is pushed."""
    word, asked = run.labels["query"][row], _asked(run, row)
    one = next((one for one in asked if one.question == question), None)
    if one is None:
        return say("backward.answer.nothing", word=word)
    told = {
        "when": _when(run),
        "word": word,
        "question": asking.name_of(one.question),
        "answer": _right(run, one),
        "share": fixed(_sure(run, row, one.question)),
    }
    if abs(push) < _LEAST:
        return say("backward.answer.calm", **told)
    kind = "more" if push > 0 else "less"
    strongest = say(f"backward.answer.{kind}", **told, head=head + 1, key=named(run.labels["key"], key))
    against = [
        asking.name_of(other.question)
        for other in asked
        if other is not one and -push * _pushed_by(run, row, other, head, key) > _AGAINST * push**2
    ]
    way = "down" if push > 0 else "up"
    told_too = [say(f"backward.answer.against_{way}", question=one, head=head + 1) for one in against[:1]]
    return listed("sentence", (strongest, *told_too, *_fell(run, row, one, asked)))


def _fell(run: Run, row: int, one: Asked, asked: Sequence[Asked]) -> Sequence[str]:
    """That the answer was likelier before the training, where it was, and which question of the word gained most."""
    setting = learned.used(run.config) if is_trained(run) else None
    if setting is None or setting.taken is None:
        return ()
    before = computed(replace(run.config, updates="0"))
    gains = {each: _sure(run, row, each.question) - _sure(before, row, each.question) for each in asked}
    if gains[one] > -_NOTABLE:
        return ()
    start, most = fixed(_sure(before, row, one.question)), max(asked, key=lambda each: gains[each])
    if gains[most] < _NOTABLE:
        return (say("backward.answer.fell", start=start),)
    return (say("backward.answer.fell_while", start=start, question=asking.name_of(most.question)),)


def _pushed_by(run: Run, row: int, other: Asked, head: int, key: int) -> float:
    """The push of another answer on the same score."""
    made = backward.found(run, Goal("answer", (ANSWER, row, other.question)), row)
    return float(pushes(run, made, row)[head, key])


def named(tokens: Sequence[str], at: int) -> str:
    """A word, with its place where the sentence has it more than once."""
    return say("backward.flow.nth", word=tokens[at], place=at + 1) if tokens.count(tokens[at]) > 1 else tokens[at]


def _when(run: Run) -> str:
    setting = learned.used(run.config) if is_trained(run) else None
    return say("backward.answer.after", updates=setting.updates) if setting else say("backward.answer.here")


def is_trained(run: Run) -> bool:
    """Whether all numbers are those of the training: none was typed over by hand, and no head was taken away."""
    return learned.used(run.config) is not None and not run.typed and not learned.off(run.config, run.module.heads)


def first_of(run: Run, row: int) -> int:
    """The first question of a word; 0 of one that asks nothing."""
    return next((one.question for one in _asked(run, row)), 0)


def _asked(run: Run, row: int) -> list[Asked]:
    """The questions of a word whose right answer the layer knows."""
    known = backward.right_answers(run)[run.sentence, row]
    return sorted((one for one in asking.questions(run, row) if known[one.question] >= 0), key=lambda one: one.question)


def _right(run: Run, one: Asked) -> str:
    return say("all_heads.no_adjective") if of_words.is_nothing(run, one) else run.tokens[one.target]


def _sure(run: Run, row: int, question: int) -> float:
    """The probability of the right answer to a question of a word."""
    setting = learned.used(run.config)
    assert setting is not None
    right = int(backward.right_answers(run)[run.sentence, row, question])
    return float(asking.sure(run, setting, row)[question, right])
