"""Training on the grammar: only attention moves information between words, so the layer learns where to attend.

Y = attention of X, logits = Y R; no residual connection, no feed-forward layer, no normalisation.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from attention.experiments.learner import Learner
from attention.inputs.grammar import ANSWERS, NOT_ASKED, QUESTIONS, Pool, pools
from attention.inputs.learned import Learned, Setting
from attention.positions import sinusoidal
from attention.trace import Trace

BATCH, EVERY = 20, 25
RATE = 0.05
# Sentences of each length.
_TRAINING, TEST = 400, 100
# About twice the weight that a head with uniform attention puts on any word.
_ANY_MASS = 0.2


@dataclass(frozen=True)
class Scores:
    """Scores by question, on test sentences. accuracy: the share of right answers. For the head with most weight on the
    right word, look: the share of queries whose largest weight is on it; mass: the mean weight on it.

    by_head: the mass of each head, (questions, heads).
    """

    accuracy: tuple[float, ...]
    look: tuple[float, ...]
    mass: tuple[float, ...]
    by_head: tuple[tuple[float, ...], ...]

    @property
    def mean(self) -> float:
        return sum(self.accuracy) / len(self.accuracy)

    @property
    def jobs(self) -> tuple[tuple[int, ...], ...]:
        """The questions of each head: those whose right words it weighs more than any other head does; if there are
        none, the one whose right words it weighs most."""
        by_head = torch.tensor(self.by_head)
        led = (by_head == by_head.max(1, keepdim=True).values) & (by_head >= _ANY_MASS)
        return tuple(
            tuple(led[:, head].nonzero()[:, 0].tolist()) or (int(by_head[:, head].argmax()),)
            for head in range(by_head.shape[1])
        )


@dataclass(frozen=True)
class State:
    """The state after `step` updates: the loss (nats) on the next batch; the mean accuracy, if it is measured; at the
    end, the trained layer."""

    step: int
    loss: float
    score: float | None
    learned: Learned | None = None


def train(setting: Setting) -> Iterator[State]:
    """Yield the state before each update and after the last that is taken, so that a page can draw or stop.

    Training is on the CPU. Several runs may be advanced by turns, in inference mode, too: no global mode stays switched
    between two states.
    """
    learner = Learner(setting, Learned.drawn, drawn_loss, RATE)
    for step in range(setting.updates + 1):
        loss = learner.look()
        if step == setting.updates:
            yield State(step, loss, measure(learner.finished()).mean, learner.finished())
            return
        yield State(step, loss, measure(learner.learned).mean if step % EVERY == 0 else None)
        learner.learn(step)


def drawn_loss(learned: Learned, setting: Setting, generator: Generator) -> Tensor:
    """The loss on a drawn batch of sentences of one length."""
    return loss_among(training_sentences(), learned, setting, generator)


def loss_among(every: tuple[Pool, ...], learned: Learned, setting: Setting, generator: Generator) -> Tensor:
    """The loss on a batch drawn from these sentences, all of one length."""
    pool = every[int(torch.randint(len(every), (1,), generator=generator))]
    rows = torch.randint(len(pool.ids), (BATCH,), generator=generator)
    return batch_loss(learned, setting, pool, rows, generator)


def trained(setting: Setting) -> Learned:
    """Train a setting to its end."""
    *_, last = train(setting)
    assert last.learned is not None
    return last.learned


def measure(
    learned: Learned,
    under: Setting | None = None,
    *,
    training: bool = False,
    generator: Generator | None = None,
    among: tuple[Pool, ...] | None = None,
) -> Scores:
    """Score a layer on test sentences. under: the mask, scale, positions and dropout of the test, None for those of the
    training; training: draw dropout from `generator`; among: other sentences."""
    under = under or learned.setting
    shape = len(QUESTIONS), learned.module.heads
    right, count, mass, look = (torch.zeros(size) for size in (shape[:1], shape[:1], shape, shape))
    # A shallow copy shares the parameters, also with other threads, but not the dropout of the test.
    module = copy.copy(learned.module)
    module.training, module.dropout = training, under.dropout
    tested = replace(learned, module=module)
    for pool in among or held_out():
        trace = Trace()
        with torch.no_grad():
            logits = _answered(tested, under, pool.ids, generator, trace)
        weights = trace["weights"].value
        for question in range(shape[0]):
            b, i = (pool.answers[..., question] != NOT_ASKED).nonzero(as_tuple=True)
            target = pool.targets[b, i, question]
            right[question] += (logits[b, i, question].argmax(-1) == pool.answers[b, i, question]).sum()
            count[question] += len(b)
            mass[question] += weights[b, :, i, target].sum(0)
            look[question] += (weights[b, :, i].argmax(-1) == target[:, None]).sum(0)
    mass, look = mass / count[:, None], look / count[:, None]
    best = mass.argmax(1, keepdim=True)
    looked, had = (tuple(of.gather(1, best)[:, 0].tolist()) for of in (look, mass))
    return Scores(tuple((right / count).tolist()), looked, had, tuple(map(tuple, mass.tolist())))


def _answered(
    learned: Learned, under: Setting, ids: Tensor, generator: Generator | None, trace: Trace | None = None
) -> Tensor:
    x, n = learned.words[ids], ids.shape[-1]
    if under.positions:
        x = x + sinusoidal(n, learned.setting.d_model)
    y = learned.module(x, mask=under.grid(n), scale=under.factor, generator=generator, trace=trace)
    return learned.logits(y)


def batch_loss(learned: Learned, setting: Setting, pool: Pool, rows: Tensor, generator: Generator | None) -> Tensor:
    """The loss (nats) on some sentences of a pool, with its graph: a mean over words, then over questions."""
    answers = pool.answers[rows]
    logits = _answered(learned, setting, pool.ids[rows], generator)
    losses = F.cross_entropy(logits.flatten(0, 2), answers.flatten(), ignore_index=NOT_ASKED, reduction="none").view(
        answers.shape
    )
    mean: Tensor = (losses.sum((0, 1)) / (answers != NOT_ASKED).sum((0, 1))).mean()
    return mean


@cache
def training_sentences() -> tuple[Pool, ...]:
    """The training sentences: one pool per length."""
    return pools(_TRAINING, Generator().manual_seed(1))


@cache
def held_out() -> tuple[Pool, ...]:
    return pools(TEST, Generator().manual_seed(2))


@cache
def constant() -> tuple[float, ...]:
    """By question, the share of right answers if all test questions get the same, most frequent answer."""
    counts = torch.zeros(len(QUESTIONS), len(ANSWERS[0]))
    for pool in held_out():
        for question, count in enumerate(counts):
            given = pool.answers[..., question]
            count += torch.bincount(given[given != NOT_ASKED], minlength=len(count))
    return tuple((counts.max(1).values / counts.sum(1)).tolist())
