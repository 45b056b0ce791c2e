"""Key heads that are averaged and trained further (Ainslie et al. 2023, section 2.1): the remaining cost of sharing."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from attention.analysis.shared_keys import share_keys
from attention.experiments import learning
from attention.experiments.learner import Learner
from attention.inputs.learned import Learned, shipped
from attention.inputs.shared_keys import EVERY, SETTING, UPDATES, unpacked


def averaged(kv_heads: int) -> Learned:
    """The trained layer of eight heads with averaged key heads, not trained further; its tensors are its own.

    ValueError: kv_heads does not divide 8.
    """
    whole = shipped(SETTING)
    words, read_out = whole.words.clone(), whole.read_out.clone()
    return replace(whole, words=words, read_out=read_out, module=share_keys(whole.module, kv_heads))


def trained_on(kv_heads: int, updates: int = UPDATES) -> Learned:
    """The averaged layer after `updates` further updates of all weights. ValueError: kv_heads does not divide 8, or
    updates is below 1."""
    *_, last = _states(kv_heads, updates)
    return last


def on_the_way(kv_heads: int) -> np.ndarray:
    """The packed weights of the averaged layer (`Learned.packed`) after each `EVERY` updates, a row each.

    ValueError: kv_heads does not divide 8.
    """
    states = enumerate(_states(kv_heads, UPDATES))
    return np.stack([one.packed() for step, one in states if step and step % EVERY == 0])


def rights(kv_heads: int, packed: np.ndarray) -> np.ndarray:
    """The shares of test questions that the averaged layer answers rightly, as it is and with each row of weights."""
    layers = averaged(kv_heads), *(unpacked(kv_heads, row) for row in packed)
    return np.array([learning.measure(one).mean for one in layers], dtype=np.float32)


def _states(kv_heads: int, updates: int) -> Iterator[Learned]:
    """One layer, trained in place: yielded before each update, and after the last one."""
    setting = replace(SETTING, steps=updates)
    learner = Learner(setting, lambda *_: averaged(kv_heads), learning.drawn_loss, learning.RATE)
    for step in range(updates):
        yield learner.learned
        learner.look()
        learner.learn(step)
    yield learner.finished()
