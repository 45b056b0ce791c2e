"""The purpose of a training with dropout: right answers on new sentences, for layers that have seen few.

Nothing is dropped when the answers are counted. The shares come with the package (`make weights` measures them):
several trainings at each count of sentences, each on other sentences, without dropout and with it.
"""

from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
from torch import Generator, Tensor

from attention.experiments.learner import Learner
from attention.experiments.learning import RATE, held_out, loss_among, measure
from attention.inputs.grammar import LENGTHS, Pool, pools
from attention.inputs.learned import Learned, Setting

FILE = Path(__file__).with_suffix(".npz")
# A layer that is large for its sentences: with twice the heads and features of the default one.
LAYER = Setting(d_model=32, heads=8)
# The number of sentences of a training, the same for each length.
COUNTS = (20, 40, 60, 90, 150, 250)
# The dropout of the trainings that are compared.
PS = (0.0, 0.3)
SEEDS = tuple(range(12))
# The seed offset of a training's sentences, which differ from those of the test and of other trainings.
_APART = 1000


@dataclass(frozen=True)
class Shares:
    """The shares of right answers, (counts, ps, seeds): on the sentences of the training, and on new ones."""

    seen: np.ndarray
    new: np.ndarray


def measured() -> Shares:
    """Train and test at each of `COUNTS`, `PS` and `SEEDS`."""
    found = [[[_pair(count, p, seed) for seed in SEEDS] for p in PS] for count in COUNTS]
    seen, new = np.array(found, dtype=np.float32).transpose(3, 0, 1, 2)
    return Shares(seen, new)


@cache
def shipped() -> Shares:
    """The shares that come with the package, at `COUNTS`, `PS` and `SEEDS`."""
    with np.load(FILE) as file:
        return Shares(file["seen"], file["new"])


def _pair(count: int, p: float, seed: int) -> tuple[float, float]:
    seen = sentences(count, seed)
    learned = trained(replace(LAYER, dropout=p, seed=seed), seen)
    return measure(learned, among=seen).mean, measure(learned, among=unseen(seen)).mean


def sentences(count: int, seed: int) -> tuple[Pool, ...]:
    """The sentences of a training, which do not depend on its dropout. ValueError: a count that the lengths do not
    divide."""
    each, left = divmod(count, len(LENGTHS))
    if left:
        raise ValueError(f"count must be a multiple of {len(LENGTHS)}, got {count}")
    return pools(each, Generator().manual_seed(_APART + seed))


def trained(setting: Setting, seen: tuple[Pool, ...]) -> Learned:
    """Train a layer on these sentences alone, for as many updates as any other."""
    learner: Learner[Learned] = Learner(setting, Learned.drawn, partial(loss_among, seen), RATE)
    for step in range(setting.updates):
        learner.look()
        learner.learn(step)
    return learner.finished()


def unseen(seen: tuple[Pool, ...]) -> tuple[Pool, ...]:
    """The test sentences without those of a training."""
    return tuple(_without(test, had) for test, had in zip(held_out(), seen, strict=True))


def _without(test: Pool, had: Pool) -> Pool:
    known: Tensor = (test.ids[:, None] == had.ids).all(-1).any(-1)
    return Pool(test.ids[~known], test.answers[~known], test.targets[~known])
