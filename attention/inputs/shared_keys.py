"""Layers whose query heads share key heads, trained on after their keys were averaged (Ainslie et al. 2023, sec. 2.1).

They come with the package: the trained layer of eight heads (`attention.inputs.learned`) with 4, 2 or 1 key heads, at
stages of that further training and at its end, with the share of right answers at each.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from torch import Generator

from attention.inputs.grammar import EXAMPLE
from attention.inputs.learned import Learned, Setting, filled
from attention.modules import MultiHeadAttention

FILE = Path(__file__).with_suffix(".npz")
# The layer whose keys are shared, and the number of its further updates: a quarter of those that it had.
SETTING = Setting(heads=8)
UPDATES = SETTING.steps // 4
KV_HEADS = (1, 2, 4)
# The number of updates between the kept and measured stages of the further training.
EVERY = 5
# Sentences by their last noun. The first is that of the grammar; the second loses one more answer to its verb each time
# that averaging halves the key heads, and has all of them after the further training.
SENTENCES = {"hen": EXAMPLE, "dog": "today the frog sends the owl to the old dog"}


@cache
def shipped(kv_heads: int, updates: int = UPDATES) -> Learned:
    """The weights that ship with the package, shared by all callers, after the given number of further updates.

    ValueError: key heads without weights, or updates after which none were kept.
    """
    _shipped(kv_heads)
    if updates not in range(EVERY, UPDATES + 1, EVERY):
        raise ValueError(f"weights are kept after each {EVERY} updates until {UPDATES}, got {updates}")
    with np.load(FILE) as file:
        return unpacked(kv_heads, file[str(kv_heads)][updates // EVERY - 1])


@cache
def recovered(kv_heads: int) -> tuple[float, ...]:
    """The share of the test questions that the layer answered rightly after each `EVERY` updates, from none on.

    ValueError: key heads without weights.
    """
    _shipped(kv_heads)
    with np.load(FILE) as file:
        return tuple(file[rights_of(kv_heads)].tolist())


def rights_of(kv_heads: int) -> str:
    """The name of these shares in the file."""
    return f"rights-{kv_heads}"


def _shipped(kv_heads: int) -> None:
    if kv_heads not in KV_HEADS:
        raise ValueError(f"no weights are shipped for {kv_heads} key heads, only for {', '.join(map(str, KV_HEADS))}")


def unpacked(kv_heads: int, numbers: np.ndarray) -> Learned:
    """The layer with `kv_heads` key heads, from its packed weights (`Learned.packed`).

    ValueError: the wrong count of numbers.
    """
    drawn = Learned.drawn(SETTING, Generator())
    module = MultiHeadAttention(
        SETTING.d_model, SETTING.heads, d_k=SETTING.d_k, d_v=SETTING.d_v, bias=SETTING.bias, kv_heads=kv_heads
    )
    return filled(replace(drawn, module=module), numbers)
