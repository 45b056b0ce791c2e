"""The arithmetic of a tile of the online softmax: the updates of the running maximum, the sum and the output.

Letters as in Dao et al. 2022, algorithm 1: m, l and O of a query, with a prime for their values before this tile; S and
p are its scores and powers in this tile. Rows and columns count from 0.
"""

import math

import torch
from torch import Tensor

from attention.explain.explanation import Explanation, Line
from attention.explain.latex import number, products, signed, terms

_MOST = 5


def carried(letter: str, row: int, value: float) -> Explanation:
    """A running number from the tile before."""
    return Explanation("carried", "", (), value, f"{letter}'_{{{row + 1}}} =")


def maximum(row: int, before: float, scores: Tensor) -> Explanation:
    """m = max(m', S) over the scores (b,) of a query in the tile."""
    scores = scores.double()
    result = max(before, float(scores.max()))
    shown = [number(float(score)) for score in scores]
    if len(shown) > _MOST:
        shown = [number(float(score)) for score in scores.sort(descending=True).values[: _MOST - 1]] + [r"\ldots"]
    within = r",\, ".join([number(before), *shown])
    equation = rf"m_{{{row + 1}}} = \max(m'_{{{row + 1}}}, S) = \max({within}) ="
    return Explanation("running_maximum", "key", (Line("S", scores),), result, equation)


def factor(row: int, before: float, after: float) -> Explanation:
    """r = exp(m' - m), the multiplier of the old sum and output; 0 for a query that has seen no key yet."""
    name = f"r_{{{row + 1}}}"
    if after == -math.inf:
        return Explanation("shrinks", "", (), 0.0, f"{name} =")
    equation = rf"{name} = e^{{m'_{{{row + 1}}} - m_{{{row + 1}}}}} = e^{{{number(before)} - {signed(after)}}} ="
    return Explanation("shrinks", "", (), math.exp(before - after), equation)


def power(row: int, column: int, score: float, after: float) -> Explanation:
    """p = exp(S - m) of a pair, with the maximum m after this tile; 0 where the mask hides the pair."""
    name = rf"p_{{{row + 1},{column + 1}}}"
    if score == -math.inf:
        return Explanation("running_power", "", (), 0.0, rf"{name} = e^{{-\infty}} =")
    equation = (
        rf"{name} = e^{{S_{{{row + 1},{column + 1}}} - m_{{{row + 1}}}}} = e^{{{number(score)} - {signed(after)}}} ="
    )
    return Explanation("running_power", "", (), math.exp(score - after), equation)


def total(row: int, shrink: float, before: float, powers: Tensor) -> Explanation:
    """l = r l' + the sum of the powers (b,) of a query in the tile."""
    powers = powers.double()
    name = f"_{{{row + 1}}}"
    equation = rf"l{name} = r{name} l'{name} + \sum p = {number(shrink)} \cdot {number(before)} + {terms(powers)} ="
    result = shrink * before + float(powers.sum())
    return Explanation("running_sum", "key", (Line("p", powers),), result, equation)


def output(
    row: int, column: int, shrink: float, before: float, powers: Tensor, values: Tensor, after: float
) -> Explanation:
    """O / l after the tile: r O' plus the powers (b,) times a column of V (b,), divided by l; 0 where l is 0."""
    powers, values = powers.double(), values.double()
    name = rf"(O / l)_{{{row + 1},{column + 1}}}"
    if after == 0:
        return Explanation("empty", "", (), 0.0, f"{name} =")
    added = rf"{number(shrink)} \cdot {signed(before)} + {products(powers, values)}"
    equation = rf"{name} = \frac{{r O' + \sum p V}}{{l}} = \frac{{{added}}}{{{number(after)}}} ="
    lines = Line("p", powers), Line("V", values), Line("p ⊙ V", powers * values)
    result = (shrink * before + float(torch.dot(powers, values))) / after
    return Explanation("running_output", "key", lines, result, equation)
