"""The trained layer with keys of its own, averaged, and trained on: its record of one sentence, and how it answers."""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from attention.experiments import learning
from attention.experiments.learning import Scores
from attention.experiments.shared_keys import averaged
from attention.inputs import shared_keys
from attention.inputs.grammar import ANSWERS, EXAMPLE, QUESTIONS, Asked, Sentence, read
from attention.inputs.learned import Learned
from attention.inputs.shared_keys import EVERY, SETTING
from attention.trace import Trace
from pages.shell.i18n import say

HEADS = SETTING.heads
# The least share on the right word of a head that is named after the question.
_EARNED = 0.5


@dataclass(frozen=True)
class Measured:
    """A layer on the sentence, with what it answers to each question of the verb; and on the test sentences."""

    trace: Trace
    scores: Scores
    answers: tuple[str, ...]

    @property
    def right(self) -> float:
        """The share of the questions of the test sentences that it answers rightly."""
        return self.scores.mean

    def of_verb(self, id: str) -> Tensor:
        """Of each head, what the record has for the verb."""
        return self.of_sentence(id)[:, sentence().verb]

    def of_sentence(self, id: str) -> Tensor:
        """Of the one sentence: (heads, words, numbers)."""
        return self.trace[id].value[0]


def sentence() -> Sentence:
    return read(EXAMPLE.split())


def asked() -> list[Asked]:
    """The questions of the verb, and the words that answer them."""
    return [one for one in sentence().asked if one.place == sentence().verb]


def question(number: int) -> str:
    return say(f"learned.question.{QUESTIONS[number]}") + say("asking.mark")


def _measured(layer: Learned) -> Measured:
    trace, ready = Trace(), layer.prepared((sentence(),))
    with torch.inference_mode():
        logits = layer.logits(layer.module(ready.inputs.x, trace=trace))[0]
        said = tuple(ANSWERS[one.question][int(logits[one.place, one.question].argmax())] for one in asked())
        return Measured(trace, learning.measure(layer), said)


@cache
def merged(kv_heads: int) -> Measured:
    """The layer whose key heads were averaged to so many, of as many as the control offers."""
    return _measured(averaged(kv_heads))


@cache
def later(kv_heads: int) -> Measured:
    """The same once it was trained on, where there was something to average."""
    return merged(kv_heads) if kv_heads == HEADS else _measured(shared_keys.shipped(kv_heads))


def updates_until(share: float, kv_heads: int) -> int:
    """After how many updates that much was answered rightly: the first of those after which it was measured."""
    return EVERY * next(at for at, right in enumerate(shared_keys.recovered(kv_heads)) if right >= share)


def questions() -> list[int]:
    """Of each head of the layer that shares nothing, the question of the verb (from 0) whose right word gets at least
    half of its weight, here and over the test sentences; -1 without one."""
    whole = merged(HEADS)
    weights = whole.of_verb("weights")
    made = []
    for head in range(HEADS):
        earned = [
            at
            for at, one in enumerate(asked())
            if min(whole.scores.by_head[one.question][head], float(weights[head, one.target])) >= _EARNED
        ]
        made.append(earned[0] if earned else -1)
    return made
