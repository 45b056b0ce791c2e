"""The effect of a change: the weight that each query moved between keys, and the first step whose numbers changed."""

from dataclasses import dataclass

import torch
from torch import Tensor

from attention.analysis.divergence import total_variation
from attention.notation import IDS
from attention.trace import Trace


@dataclass(frozen=True)
class Movement:
    """The weights (query, key) of one sentence and one head before and after a change.

    moved (query,): the weight that each query moved to other keys, from 0 to 1; 0 for a query that attends to nothing
    before and after, NaN if only one of its rows is empty. query: the requested one, else the one that moved most;
    source and target: the keys that lost and gained most of its weight, all of them from 0; emptied, filled: the
    numbers of queries that attend to nothing only after the change, or only before it.
    """

    moved: Tensor
    query: int
    source: int
    target: int
    emptied: int
    filled: int

    @property
    def most(self) -> float:
        return self.moved[self.query].item()


def movement(before: Tensor, after: Tensor, query: int | None = None) -> Movement:
    """Compare two matrices of weights (query, key), under a sink with its share (`divergence.shares`).

    query: the one whose source and target are returned, None for the one that moved most. ValueError: different numbers
    of queries or keys.
    """
    if before.shape != after.shape:
        raise ValueError(f"weights must have the same shape, got {tuple(before.shape)} and {tuple(after.shape)}")
    attended, attends = before.any(-1), after.any(-1)
    moved = total_variation(before, after).masked_fill(~attended & ~attends, 0)
    query = int(moved.nan_to_num(-1).argmax()) if query is None else query
    change = after[query] - before[query]
    emptied, filled = (int(rows.sum()) for rows in (attended & ~attends, ~attended & attends))
    return Movement(moved, query, int(change.argmin()), int(change.argmax()), emptied, filled)


def first_change(before: Trace, after: Trace) -> str | None:
    """The id of the first step with axes, in the order of the theory, that only one record has or that differs."""
    return next((id for id in IDS if not _same(before, after, id)), None)


def _same(before: Trace, after: Trace, id: str) -> bool:
    if id not in before or id not in after:
        return (id in before) == (id in after) or not (before if id in before else after)[id].axes
    a, b = before[id], after[id]
    return not a.axes or (a.value.shape == b.value.shape and _equal(a.value, b.value))


def _equal(a: Tensor, b: Tensor) -> bool:
    """Whether all numbers are the same, NaN like any other."""
    if torch.equal(a, b):
        return True
    gaps = a.isnan()
    return bool(gaps.any()) and torch.equal(gaps, b.isnan()) and torch.equal(a[~gaps], b[~gaps])
