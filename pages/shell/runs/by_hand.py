"""The layer with one attention weight moved by hand: the score of a word is pushed until softmax gives it that much."""

import math
from dataclasses import replace
from functools import cache

import torch

from attention.analysis.backward import nudged
from pages.shell.runs import learned
from pages.shell.runs.memo import Memo
from pages.shell.runs.run import Run, weigh

# Bytes of records: room for a few drags.
_REMEMBERED = 16_000_000
# The least weight whose logarithm is taken.
_LEAST = 1e-12


def after(run: Run, row: int, head: int, key: int, share: float) -> Run:
    """The run with a weight of a word moved to a share from 0 to 1; the others of its head make room, as they sum to 1.
    No matrix changes. The config stays that of the run at rest, so caches keyed by config do not know this run."""

    def made() -> Run:
        weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)
        added = torch.zeros((len(run.inputs.tokens), *weights.shape), dtype=weights.dtype, device=weights.device)
        added[run.sentence, head, row, key] = _odds(share) - _odds(float(weights[head, row, key]))
        return replace(run, trace=nudged(run.trace, run.module, added))

    return _memo().get((run.config, learned.used(run.config), row, head, key, share), made, weigh)


def can_move(run: Run, row: int, key: int) -> bool:
    """Whether a word may get weight, which a mask can forbid."""
    return "mask" not in run.trace or bool(run.matrix("mask")[row, key])


def _odds(share: float) -> float:
    """The score that softmax turns into this share if all other scores together count as one score of 0."""
    inside = min(max(share, _LEAST), 1 - 1e-7)
    return math.log(inside) - math.log1p(-inside)


@cache
def _memo() -> Memo:
    return Memo(_REMEMBERED)
