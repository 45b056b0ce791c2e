"""Cells derived from the steps of a record: means over heads and draws, parts of a sum, differences.

Each returns the same as `attention.explain.cell.cell` does for a step: the rule, the operands, the formula with numbers
in. Rows and columns count from 0.
"""

import torch
from torch import Tensor

from attention.explain.explanation import Explanation, Line, dot
from attention.explain.latex import number, signed, subscript, terms
from attention.trace import Trace


def average(trace: Trace, row: int, column: int, *, batch: int = 0) -> Explanation:
    """A cell of the mean of the weights over the heads (`heads.average`). ValueError: a record without heads."""
    weights = _with_heads(trace, "weights", batch)[:, row, column]
    h, result = len(weights), float(weights.mean())
    name = rf"\bar A_{{{subscript(row, column)}}}"
    equation = rf"{name} = \frac{{1}}{{{h}}} ({terms(weights)}) ="
    return Explanation("average", "head", (Line(f"A {subscript(row, column)}", weights),), result, equation)


def contribution(trace: Trace, head: int, query: int, column: int, *, batch: int = 0) -> Explanation:
    """A head's contribution to a feature of a query's output (`heads.contributions`): its output times its rows of W_O.

    ValueError: a record without heads.
    """
    outputs = _with_heads(trace, "output", batch)
    d_v = outputs.shape[-1]
    first = head * d_v
    block = trace["w_o"].value[first : first + d_v, column]
    names = f"(O_{{{head + 1}}})_{{{query + 1}}}", f"(W_O)_{{{first + 1}..{first + d_v},{column + 1}}}"
    cell = rf"(O_{{{head + 1}}} W_O)_{{{subscript(query, column)}}}"
    return dot(cell, names, outputs[head, query], block, "value")


def drawn(weight: float, mean: float, row: int, column: int, *, p: float, draws: int) -> Explanation:
    """The mean of one weight over many draws of dropout, in each of which it is 0 or weight / (1 - p).

    The number of draws that kept it follows from the mean: (1 - p) draws mean / weight, a whole number up to rounding.
    ValueError: draws below 1, p outside [0, 1).
    """
    if draws < 1 or not 0 <= p < 1:
        raise ValueError(f"draws must be at least 1 and p at least 0 and below 1, got {draws} and {p}")
    name, value = rf"\bar A_{{{subscript(row, column)}}}", rf"\frac{{{number(weight)}}}{{1 - {number(p)}}}"
    if weight == 0:
        return Explanation("drawn", "", (), 0.0, rf"{name} = {value} =")
    kept = round((1 - p) * draws * mean / weight)
    result = kept / draws * weight / (1 - p)
    return Explanation("drawn", "", (), result, rf"{name} = \frac{{{kept}}}{{{draws}}} \cdot {value} =")


def jacobian(weights: Tensor, row: int, column: int) -> Explanation:
    """A cell of the Jacobian of softmax, diag(p) - p p^T, from the weights p (keys,)."""
    own, other = float(weights[row]), float(weights[column])
    cell = rf"J_{{{subscript(row, column)}}}"
    if row == column:
        return Explanation("jacobian", "", (), own * (1 - own), rf"{cell} = {number(own)} \cdot (1 - {number(own)}) =")
    return Explanation("jacobian", "", (), -own * other, rf"{cell} = -{number(own)} \cdot {number(other)} =")


def term(told: Explanation, place: int) -> Explanation:
    """One product of a dot product. ValueError: no dot product."""
    if told.rule != "product":
        raise ValueError(f"only a product has terms, got {told.rule!r}")
    a, b = (float(line.values[place]) for line in told.lines[:2])
    return Explanation("term", "", (), a * b, rf"{number(a)} \cdot {signed(b)} =")


def difference(a: float, b: float, row: int, column: int) -> Explanation:
    """A cell of a matrix minus the same cell of another."""
    equation = rf"\Delta_{{{subscript(row, column)}}} = {number(b)} - {signed(a)} ="
    return Explanation("difference", "", (), b - a, equation)


def _with_heads(trace: Trace, id: str, batch: int) -> Tensor:
    """(head, query, ...) of one sentence, in float64."""
    step = trace[id]
    if "head" not in step.axes:
        raise ValueError(f"step {id!r} has no heads: its axes are {', '.join(step.axes)}")
    value = step.value.to("cpu", torch.float64)
    return value[min(batch, len(value) - 1)] if "batch" in step.axes else value
