"""The trained layer with a key head for each query head, with averaged ones, and in its further training: its trace of
a sentence and its answers."""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from attention.experiments import learning
from attention.experiments.learning import Scores
from attention.experiments.shared_keys import averaged
from attention.inputs import shared_keys
from attention.inputs.grammar import ANSWERS, QUESTIONS, Asked, Sentence, read
from attention.inputs.learned import Learned
from attention.inputs.shared_keys import EVERY, SENTENCES, SETTING, UPDATES
from attention.trace import Trace
from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import FewerKeys

HEADS = SETTING.heads
# A head is named after a question if its right word gets at least this share.
_EARNED = 0.5


@dataclass(frozen=True)
class Measured:
    """A layer's trace of a sentence and its answers to the questions of the verb; its scores on the test sentences."""

    sentence: Sentence
    trace: Trace
    scores: Scores
    answers: tuple[str, ...]

    @property
    def right(self) -> float:
        """The share of the questions of the test sentences that the layer answers rightly."""
        return self.scores.mean

    @property
    def are_right(self) -> list[bool]:
        """Whether each answer to the verb is the right one."""
        return [
            said == self.sentence.words[one.target]
            for said, one in zip(self.answers, asked(self.sentence), strict=True)
        ]

    def of_verb(self, id: str) -> Tensor:
        """The verb's values of a step of the trace: (heads, numbers)."""
        return self.of_sentence(id)[:, self.sentence.verb]

    def of_sentence(self, id: str) -> Tensor:
        """A step of the trace for the sentence: (heads, words, numbers)."""
        return self.trace[id].value[0]


def sentence(screen: Screen) -> Sentence:
    """The chosen sentence."""
    return read(SENTENCES[screen.own(FewerKeys).kv_sentence].split())


def asked(of: Sentence) -> list[Asked]:
    """The questions of the verb, and the words that answer them."""
    return [one for one in of.asked if one.place == of.verb]


def question(number: int) -> str:
    return say(f"learned.question.{QUESTIONS[number]}") + say("asking.mark")


@cache
def _layer(kv_heads: int, updates: int) -> tuple[Learned, Scores]:
    layer = shared_keys.shipped(kv_heads, updates) if updates else averaged(kv_heads)
    return layer, learning.measure(layer)


@cache
def measured(kv_heads: int, of: Sentence, updates: int = 0) -> Measured:
    """The layer with so many key heads, averaged from one for each query head, after so many further updates. Without
    sharing there is nothing to average, and no update."""
    layer, scores = _layer(kv_heads, updates if kv_heads < HEADS else 0)
    trace, ready = Trace(), layer.prepared((of,))
    with torch.inference_mode():
        logits = layer.logits(layer.module(ready.inputs.x, trace=trace))[0]
        said = tuple(ANSWERS[one.question][int(logits[one.place, one.question].argmax())] for one in asked(of))
    return Measured(of, trace, scores, said)


def shown(screen: Screen) -> Measured:
    """The chosen layer on the chosen sentence."""
    chosen = screen.own(FewerKeys)
    return measured(int(chosen.kv_of_8), sentence(screen), int(chosen.kv_trained))


def own(screen: Screen) -> Measured:
    """The layer with a key head for each query head."""
    return measured(HEADS, sentence(screen))


def stages(screen: Screen) -> tuple[Measured, Measured, Measured]:
    """The layer with a key head for each query head, averaged, and trained further."""
    kv_heads, of = int(screen.own(FewerKeys).kv_of_8), sentence(screen)
    return own(screen), measured(kv_heads, of), measured(kv_heads, of, UPDATES)


def updates_until(share: float, kv_heads: int) -> int:
    """The first measured number of updates after which the layer answers at least this share of the test questions."""
    return EVERY * next(at for at, right in enumerate(shared_keys.recovered(kv_heads)) if right >= share)


def questions(of: Sentence) -> list[int]:
    """For each head of the layer without sharing, the question of the verb (from 0) whose right word gets at least half
    of its weight, here and over the test sentences; -1 without one."""
    whole = measured(HEADS, of)
    weights = whole.of_verb("weights")
    made = []
    for head in range(HEADS):
        earned = [
            at
            for at, one in enumerate(asked(of))
            if min(whole.scores.by_head[one.question][head], float(weights[head, one.target])) >= _EARNED
        ]
        made.append(earned[0] if earned else -1)
    return made


def serve(shown: Measured) -> list[bool]:
    """For each head, whether it has a question and still gives the right word of that half of its weight here."""
    weights, targets = shown.of_verb("weights"), [one.target for one in asked(shown.sentence)]
    return [
        at >= 0 and float(weights[head, targets[at]]) >= _EARNED for head, at in enumerate(questions(shown.sentence))
    ]


def unseen(shown: Measured) -> list[str]:
    """The answers that are no words of the sentence, each once."""
    return [word for word in dict.fromkeys(shown.answers) if word not in shown.sentence.words]
