"""The fast form of the tests: few cases of a product of axes, which still cover every pair of values; a few of similar
options."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

# 0: the fast form; 1: every test; 2: every test and every combination.
_LEVEL = int(os.environ.get("EXHAUSTIVE") or 0)
EVERY_TEST = _LEVEL > 0
# Tests that take seconds, because they wait for a browser or for servers: `.ci/run` has them.
SLOW = EVERY_TEST or os.environ.get("SLOW") == "1"
# Full products, and the full numbers of draws.
EXHAUSTIVE = _LEVEL > 1

# Some cells of a case: pairs of axis and value, in the order of the axes.
Cells = tuple[tuple[int, int], ...]


def is_fast(test: pytest.Item) -> bool:
    """Whether a test belongs to the fast form. Tests marked `exhaustive` do not, `slow` ones only with SLOW=1; if a
    file's `fast` mark names tests, its other tests do not."""
    if test.get_closest_marker("exhaustive") or (test.get_closest_marker("slow") and not SLOW):
        return False
    fast = test.get_closest_marker("fast")
    return fast is None or test.originalname in fast.args  # type: ignore[attr-defined]


def some(options: Iterable[T], count: int) -> list[T]:
    """`count` of some similar options, evenly spread, with the first and (if count > 1) the last."""
    every = list(options)
    if EXHAUSTIVE or count >= len(every):
        return every
    return [every[round(place * (len(every) - 1) / max(count - 1, 1))] for place in range(count)]


def cases(*axes: Sequence[Any], strength: int = 2, exhaustively: int | None = None) -> list[tuple[Any, ...]]:
    """Cases of the product of the axes that cover all values of any `strength` axes together; always the same cases.

    exhaustively: the strength with EXHAUSTIVE=2; None for the whole product.

    The cases are made greedily, row by row: a row begins with cells that are not covered yet, and takes on each other
    axis the value that covers the most new ones. Two axes of which some pairs of values are impossible are passed as
    one axis of possible pairs.
    """
    if EXHAUSTIVE:
        strength = exhaustively or len(axes)
    if strength >= len(axes):
        return list(product(*axes))
    sizes = [range(len(axis)) for axis in axes]
    missing = dict.fromkeys(
        tuple(zip(where, values, strict=True))
        for where in combinations(range(len(axes)), strength)
        for values in product(*(sizes[axis] for axis in where))
    )
    rows: list[dict[int, int]] = []
    while missing:
        row = dict(next(iter(missing)))
        for axis, size in enumerate(sizes):
            if axis not in row:
                # Rotate the values, so that among equally good ones it is not always the first.
                turned = [(value + len(rows) + axis) % len(size) for value in size]
                new = {
                    value: sum(cells in missing for cells in _joined(row, axis, value, strength)) for value in turned
                }
                row[axis] = max(turned, key=new.__getitem__)
        for cells in combinations(sorted(row.items()), strength):
            missing.pop(cells, None)
        rows.append(row)
    return [tuple(axis[row[place]] for place, axis in enumerate(axes)) for row in rows]


def _joined(row: dict[int, int], axis: int, value: int, strength: int) -> Iterator[Cells]:
    """The combinations of cells that a row would cover with one more value."""
    for others in combinations(row.items(), strength - 1):
        yield tuple(sorted((*others, (axis, value))))
