"""Two weights that the last updates of the training moved: the one at the strongest arrow of the stop before, and the
one that moved most without an arrow that asked for it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.runs import backward
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as computed
from pages.shell.state.config import stops
from pages.shell.views.backward import strength

# A weight that has moved by less is not seen to jump.
_JUMP = 0.2


@dataclass(frozen=True)
class Moved:
    """A weight at the stop before and now: of which word in which head, both from 0. arrow: the size of the arrow that
    it had, up or, below 0, down; 0 for none."""

    head: int
    key: int
    then: float
    now: float
    arrow: int


def before(run: Run) -> Run | None:
    """The same sentence at the stop before; None at the first one. run: on the way of its training."""
    every = stops(run.config.updates)
    at = every.index(run.config.updates)
    return computed(replace(run.config, updates=every[at - 1])) if at else None


def asked_for(run: Run, row: int, one: Asked) -> Moved | None:
    """The weight at the strongest arrow of the stop before; None where there was no arrow."""
    if (then := before(run)) is None:
        return None
    pushes = _pushes(then, row, one)
    if not strength.sizes(pushes).any():
        return None
    return _moved(then, run, row, int(pushes.abs().argmax()), pushes)


def unasked(run: Run, row: int, one: Asked) -> Moved | None:
    """The weight that moved most, if it jumped, and neither towards its arrow nor at the strongest one."""
    if (then := before(run)) is None:
        return None
    pushes = _pushes(then, row, one)
    by = _weights(run, row) - _weights(then, row)
    found = _moved(then, run, row, int(by.abs().argmax()), pushes)
    strongest = asked_for(run, row, one)
    is_told = strongest is not None and (strongest.head, strongest.key) == (found.head, found.key)
    change = found.now - found.then
    return None if is_told or abs(change) < _JUMP or change * found.arrow > 0 else found


def told(run: Run, row: int, one: Asked) -> Iterator[Moved]:
    """Those that are there."""
    yield from (each for each in (asked_for(run, row, one), unasked(run, row, one)) if each is not None)


def _pushes(run: Run, row: int, one: Asked) -> Tensor:
    return strength.pushes(run, backward.found(run, Goal("answer", (ANSWER, row, one.question)), row), row)


def _weights(run: Run, row: int) -> Tensor:
    """(heads, keys)"""
    return run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].cpu().float()


def _moved(then: Run, now: Run, row: int, at: int, pushes: Tensor) -> Moved:
    head, key = divmod(at, pushes.shape[1])
    before, after = torch.stack([_weights(each, row) for each in (then, now)])[:, head, key].tolist()
    return Moved(head, key, before, after, int(strength.sizes(pushes)[head, key]))
