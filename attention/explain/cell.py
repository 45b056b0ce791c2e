"""One cell of one step: how that number came about, with the operands as the record has them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attention.explain.latex import number, plain, products, shown, signed, subscript
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
    of `attention.explain.derived`: average, difference, drawn, term);
    axis: the name of the axis that the lines run along, "" without lines; computed: what the operands give, in float64;
    equation: the same with numbers in, in LaTeX, up to the result; after: what is said behind the result;
    recorded: the number itself, which is that up to the rounding of its dtype; None where no record has it.
    """

    rule: str
    axis: str
    lines: tuple[Line, ...]
    computed: float
    equation: str
    after: str = ""
    recorded: float | None = None

    @property
    def result(self) -> float:
        return self.computed if self.recorded is None else self.recorded

    @property
    def latex(self) -> str:
        return f"{self.equation} {shown(self.result)}{self.after}"

    def drawn_as(self, value: float) -> "Explanation":
        """With the number that is drawn as its result, if it differs from it by no more than rounding in float32."""
        sums = (float(line.values[line.values.isfinite()].abs().sum()) for line in self.lines)
        if not math.isfinite(value) or abs(value - self.computed) > 1e-6 * max(1.0, abs(self.computed), *sums):
            return self
        return replace(self, recorded=value)


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
    matrix = torch.atleast_2d(place.matrix(id))
    for axis, index, size in zip(("row", "column"), (row, column), matrix.shape, strict=True):
        if not 0 <= index < size:
            raise ValueError(f"{axis} {index} is outside step {id!r}, which has {size}")
    return replace(_RULES.get(id, _given)(place), recorded=float(matrix[row, column]))


def _given(at: _Place) -> Explanation:
    return Explanation("given", "", (), float(torch.atleast_2d(at.matrix(at.id))[at.row, at.column]), f"{_cell(at)} =")


def dot(
    cell: str, names: tuple[str, str], a: Tensor, b: Tensor, axis: str, bias: tuple[str, float] | None = None
) -> Explanation:
    """A dot product of two vectors (n,) along an axis, plus a bias; all with their names in LaTeX."""
    a, b = a.to("cpu", torch.float64), b.to("cpu", torch.float64)
    symbol, added = (f" + {bias[0]}", f" + {signed(bias[1])}") if bias else ("", "")
    result = float((a * b).sum()) + (bias[1] if bias else 0.0)
    equation = rf"{cell} = {names[0]} \cdot {names[1]}{symbol} = {products(a, b)}{added} ="
    left, right = map(plain, names)
    return Explanation(
        "product", axis, (Line(left, a), Line(right, b), Line(f"{left} ⊙ {right}", a * b)), result, equation
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
    return Explanation("scale", "", (), result, rf"S_{{{_index(at)}}} \leftarrow {by} =")


def _mask(at: _Place) -> Explanation:
    value = at.number("mask")
    rule = "added" if at.matrix("mask").dtype != torch.bool else "may" if value else "may_not"
    return Explanation(rule, "", (), value, f"M_{{{_index(at)}}} =")


def _masked(at: _Place) -> Explanation:
    rule, before, mask = _mask(at).rule, at.number("scaled"), at.number("mask")
    result = before + mask if rule == "added" else before if mask else -math.inf
    came = f" {number(before)} + {signed(mask)} =" if rule == "added" else ""
    return Explanation(rule, "", (), result, rf"S_{{{_index(at)}}} \leftarrow{came}")


def _softmax(at: _Place) -> Explanation:
    row = at.matrix("masked" if "masked" in at.trace else "scaled")[at.row]
    largest = row.max()
    if largest == -math.inf:
        return Explanation("empty", "key", (Line("S", row),), 0.0, f"A_{{{_index(at)}}} =")
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
    return Explanation("softmax", "key", lines, result, f"{_cell(at)} = {general} = {own} =")


def _kept(at: _Place) -> Explanation:
    kept = at.number("kept")
    p = number(float(at.trace["dropout"].value))
    return Explanation("kept" if kept else "lost", "", (), kept, f"D_{{{_index(at)}}} =", rf", \quad p = {p}")


def _dropped(at: _Place) -> Explanation:
    p, weight, kept = float(at.trace["dropout"].value), at.number("weights"), at.number("kept")
    result = weight * kept / (1 - p or 1)
    quotient = rf"\frac{{{number(weight)} \cdot {number(kept)}}}{{1 - {number(p)}}}"
    return Explanation("dropped", "", (), result, rf"{_cell(at)} \leftarrow {quotient} =")


def _joined(at: _Place) -> Explanation:
    outputs = at.trace["output"]
    head, feature = divmod(at.column, outputs.value.shape[-1])
    own = _Place(at.trace, "output", at.row, feature, at.batch, head)
    result = own.number("output")
    equation = f"O_{{{_index(at)}}} = (O_{{{head + 1}}})_{{{at.row + 1}{feature + 1}}} ="
    return Explanation("joined", "", (), result, equation)


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
