"""One cell of one step: how that number came about, with the operands as the record has them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from attention.latex import number, plain, products, signed, subscript
from attention.trace import Step, Trace


@dataclass(frozen=True)
class Line:
    """Numbers along an axis under a name in plain text: an operand, or what became of one."""

    name: str
    values: Tensor


@dataclass(frozen=True)
class Explanation:
    """The arithmetic of a cell.

    rule: its kind (given, product, scale, may, may_not, added, softmax, empty, kept, lost, dropped, joined; and those
    of `attention.derived`: average, difference, drawn, term);
    axis: the name of the axis that the lines run along, "" without lines; result: what the operands give, in
    float64, which is the recorded value up to the rounding of its dtype; latex: the same with numbers in.
    """

    rule: str
    axis: str
    lines: tuple[Line, ...]
    result: float
    latex: str


@dataclass(frozen=True)
class _Place:
    """A trace, and which number of it is asked for."""

    trace: Trace
    id: str
    row: int
    column: int
    batch: int
    head: int

    def matrix(self, id: str) -> Tensor:
        value = self.trace[id].of(batch=self.batch, head=self.head)
        return value.to("cpu", torch.float64) if value.dtype != torch.bool else value.cpu()

    def number(self, id: str) -> float:
        return float(self.matrix(id)[self.row, self.column])


def cell(trace: Trace, id: str, row: int, column: int, *, batch: int = 0, head: int = 0) -> Explanation:
    """The arithmetic of the number at (row, column), counted from 0, of a step of one sentence and one head.

    ValueError: a step that the trace does not have, or a cell outside its matrix.
    """
    if id not in trace:
        raise ValueError(f"no step {id!r} in this trace; it has {', '.join(trace)}")
    place = _Place(trace, id, row, column, batch, head)
    shown = place.matrix(id)
    for axis, index, size in (("row", row, len(shown) if shown.ndim == 2 else 1), ("column", column, shown.shape[-1])):
        if not 0 <= index < size:
            raise ValueError(f"{axis} {index} is outside step {id!r}, which has {size}")
    return _RULES.get(id, _given)(place)


def _given(at: _Place) -> Explanation:
    value = float(torch.atleast_2d(at.matrix(at.id))[at.row, at.column])
    return Explanation("given", "", (), value, f"{_cell(at)} = {number(value)}")


def dot(
    cell: str, names: tuple[str, str], a: Tensor, b: Tensor, axis: str, bias: tuple[str, float] | None = None
) -> Explanation:
    """A dot product of two vectors (n,) along an axis, plus a bias; all with their names in LaTeX."""
    a, b = a.to("cpu", torch.float64), b.to("cpu", torch.float64)
    symbol, added = (f" + {bias[0]}", f" + {signed(bias[1])}") if bias else ("", "")
    result = float((a * b).sum()) + (bias[1] if bias else 0.0)
    latex = rf"{cell} = {names[0]} \cdot {names[1]}{symbol} = {products(a, b)}{added} = {number(result)}"
    left, right = map(plain, names)
    return Explanation(
        "product", axis, (Line(left, a), Line(right, b), Line(f"{left} ⊙ {right}", a * b)), result, latex
    )


def _product(left: str, right: str, bias: str = "", transposed: bool = False) -> Callable[[_Place], Explanation]:
    """A row of one matrix times a column (or, transposed, a row) of another, plus a bias."""

    def explained(at: _Place) -> Explanation:
        first = _source(at.trace, left)
        other = at.matrix(right)
        a, b = at.matrix(first)[at.row], other[at.column] if transposed else other[:, at.column]
        i, j = at.row + 1, at.column + 1
        factors = f"{_name(at.trace[first])}_{{{i}}}", f"{_name(at.trace[right])}_{{{'' if transposed else ':,'}{j}}}"
        added = (f"{_name(at.trace[bias])}_{{{j}}}", float(at.matrix(bias)[at.column])) if bias in at.trace else None
        return dot(_cell(at), factors, a, b, at.trace[first].axes[-1], added)

    return explained


def _scaled(at: _Place) -> Explanation:
    score = at.number("scores")
    if "scale" in at.trace:
        c = float(at.trace["scale"].value)
        result, by = score * c, rf"{number(c)} \cdot {signed(score)}"
    else:
        d_k = at.trace["queries"].value.shape[-1]
        result, by = score / math.sqrt(d_k), rf"\frac{{{number(score)}}}{{\sqrt{{{d_k}}}}}"
    return Explanation("scale", "", (), result, rf"S_{{{_index(at)}}} \leftarrow {by} = {number(result)}")


def _mask(at: _Place) -> Explanation:
    value = at.number("mask")
    rule = "added" if at.matrix("mask").dtype != torch.bool else "may" if value else "may_not"
    return Explanation(rule, "", (), value, f"M_{{{_index(at)}}} = {number(value)}")


def _masked(at: _Place) -> Explanation:
    rule, before, mask = _mask(at).rule, at.number("scaled"), at.number("mask")
    result = before + mask if rule == "added" else before if mask else -math.inf
    came = rf"{number(before)} + {signed(mask)} = {number(result)}" if rule == "added" else number(result)
    return Explanation(rule, "", (), result, rf"S_{{{_index(at)}}} \leftarrow {came}")


def _softmax(at: _Place) -> Explanation:
    row = at.matrix("masked" if "masked" in at.trace else "scaled")[at.row]
    largest = row.max()
    if largest == -math.inf:
        return Explanation("empty", "key", (Line("S", row),), 0.0, f"A_{{{_index(at)}}} = 0")
    shifted = row - largest
    powers = shifted.exp()
    result = float(powers[at.column] / powers.sum())
    total = float(powers.sum())
    lines = (
        Line("S", row),
        Line("S − max S", shifted),
        Line("exp(S − max S)", powers),
        Line("A", powers / powers.sum()),
    )
    general = rf"\frac{{e^{{S_{{{_index(at)}}} - \max S}}}}{{\sum_j e^{{S_{{{at.row + 1}j}} - \max S}}}}"
    own = rf"\frac{{e^{{{number(float(row[at.column]))} - {signed(float(largest))}}}}}{{{number(total)}}}"
    latex = rf"{_cell(at)} = {general} = {own} = {number(result)}"
    return Explanation("softmax", "key", lines, result, latex)


def _kept(at: _Place) -> Explanation:
    kept = at.number("kept")
    p = number(float(at.trace["dropout"].value))
    return Explanation("kept" if kept else "lost", "", (), kept, rf"D_{{{_index(at)}}} = {number(kept)}, \quad p = {p}")


def _dropped(at: _Place) -> Explanation:
    p, weight, kept = float(at.trace["dropout"].value), at.number("weights"), at.number("kept")
    result = weight * kept / (1 - p or 1)
    quotient = rf"\frac{{{number(weight)} \cdot {number(kept)}}}{{1 - {number(p)}}}"
    latex = rf"{_cell(at)} \leftarrow {quotient} = {number(result)}"
    return Explanation("dropped", "", (), result, latex)


def _joined(at: _Place) -> Explanation:
    outputs = at.trace["output"]
    head, feature = divmod(at.column, outputs.value.shape[-1])
    own = _Place(at.trace, "output", at.row, feature, at.batch, head)
    result = own.number("output")
    latex = rf"O_{{{_index(at)}}} = (O_{{{head + 1}}})_{{{at.row + 1}{feature + 1}}} = {number(result)}"
    return Explanation("joined", "", (), result, latex)


_RULES: dict[str, Callable[[_Place], Explanation]] = {
    "queries": _product("x", "w_q", "b_q"),
    "keys": _product("context", "w_k", "b_k"),
    "values": _product("context", "w_v", "b_v"),
    "scores": _product("queries", "keys", transposed=True),
    "scaled": _scaled,
    "mask": _mask,
    "masked": _masked,
    "weights": _softmax,
    "kept": _kept,
    "dropped": _dropped,
    "output": _product("dropped", "values"),
    "concat": _joined,
    "projected": _product("concat", "w_o", "b_o"),
}


def _source(trace: Trace, id: str) -> str:
    """Where an operand really comes from: self-attention has no context, and dropout may be off."""
    return id if id in trace else {"context": "x", "dropped": "weights"}[id]


def _name(step: Step) -> str:
    """The letter of a quantity: the left-hand side of its formula, ready for a subscript."""
    letter = step.quantity.formula.split("=")[0].split(r"\leftarrow")[0].split(r"\sim")[0].split("_{ij}")[0].strip()
    return f"({letter})" if "_" in letter else letter


def _cell(at: _Place) -> str:
    return f"{_name(at.trace[at.id])}_{{{_index(at)}}}"


def _index(at: _Place) -> str:
    return subscript(at.row, at.column)
