"""What is run while somebody waits: of a product of axes a few cases, in which any two values still meet; of options
that are alike, a few."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, TypeVar

T = TypeVar("T")

# 0: while somebody waits; 1: every test; 2: every combination, too.
_LEVEL = int(os.environ.get("EXHAUSTIVE") or 0)
EVERY_TEST = _LEVEL > 0
# Full products, and as many draws as there ever were.
EXHAUSTIVE = _LEVEL > 1

# The axis and the value of each of some cells of a case, in the order of the axes.
Cells = tuple[tuple[int, int], ...]


def some(options: Iterable[T], count: int) -> list[T]:
    """Of options that are alike, so many, evenly spread, the first and, of several, the last among them."""
    every = list(options)
    if EXHAUSTIVE or count >= len(every):
        return every
    return [every[round(place * (len(every) - 1) / max(count - 1, 1))] for place in range(count)]


def cases(*axes: Sequence[Any], strength: int = 2, exhaustively: int | None = None) -> list[tuple[Any, ...]]:
    """Of the product of the axes, cases in which any values of `strength` axes occur together; always the same ones.

    exhaustively: the strength where nobody waits; None: the whole product.

    Row by row, greedily: what has not occurred yet, and on each other axis the value that brings the most that is new.
    Where two axes cannot take every pair of values, one axis of the pairs that they can take stands for both."""
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
                # Of values that bring equally much, not always the first.
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
    """The cells of a row among which a further value would stand."""
    for others in combinations(row.items(), strength - 1):
        yield tuple(sorted((*others, (axis, value))))
