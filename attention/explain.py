"""One cell of one step: how that number came about, with the operands as the record has them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from attention.trace import Step, Trace


@dataclass(frozen=True)
class Line:
    """Numbers along an axis under a name in plain text: an operand, or what became of one."""

    name: str
    values: Tensor


@dataclass(frozen=True)
class Explanation:
    """The arithmetic of a cell.

    rule: its kind (given, product, scale, may, may_not, added, softmax, empty, kept, lost, dropped, joined);
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
    return Explanation("given", "", (), value, f"{_cell(at)} = {_number(value)}")


def _product(left: str, right: str, bias: str = "", transposed: bool = False) -> Callable[[_Place], Explanation]:
    """A dot product: a row of one matrix times a column (or, transposed, a row) of another, plus a bias."""

    def explained(at: _Place) -> Explanation:
        first = _source(at.trace, left)
        other = at.matrix(right)
        a, b = at.matrix(first)[at.row], other[at.column] if transposed else other[:, at.column]
        added = float(at.matrix(bias)[at.column]) if bias in at.trace else None
        result = float((a * b).sum()) + (added or 0.0)
        i, j = at.row + 1, at.column + 1
        factors = f"{_name(at.trace[first])}_{{{i}}}", f"{_name(at.trace[right])}_{{{'' if transposed else ':,'}{j}}}"
        symbol, number = (
            (f" + {_name(at.trace[bias])}_{{{j}}}", f" + {_signed(added)}") if added is not None else ("", "")
        )
        latex = rf"{_cell(at)} = {factors[0]} \cdot {factors[1]}{symbol} = {_sum(a, b)}{number} = {_number(result)}"
        names = [_plain(factor) for factor in factors]
        lines = Line(names[0], a), Line(names[1], b), Line(" ⊙ ".join(names), a * b)
        return Explanation("product", at.trace[first].axes[-1], lines, result, latex)

    return explained


def _scaled(at: _Place) -> Explanation:
    score = at.number("scores")
    if "scale" in at.trace:
        c = float(at.trace["scale"].value)
        result, by = score * c, rf"{_number(c)} \cdot {_signed(score)}"
    else:
        d_k = at.trace["queries"].value.shape[-1]
        result, by = score / math.sqrt(d_k), rf"\frac{{{_number(score)}}}{{\sqrt{{{d_k}}}}}"
    return Explanation("scale", "", (), result, rf"S_{{{_index(at)}}} \leftarrow {by} = {_number(result)}")


def _mask(at: _Place) -> Explanation:
    value = at.number("mask")
    rule = "added" if at.matrix("mask").dtype != torch.bool else "may" if value else "may_not"
    return Explanation(rule, "", (), value, f"M_{{{_index(at)}}} = {_number(value)}")


def _masked(at: _Place) -> Explanation:
    rule, before, mask = _mask(at).rule, at.number("scaled"), at.number("mask")
    result = before + mask if rule == "added" else before if mask else -math.inf
    came = rf"{_number(before)} + {_signed(mask)} = {_number(result)}" if rule == "added" else _number(result)
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
    own = rf"\frac{{e^{{{_number(float(row[at.column]))} - {_signed(float(largest))}}}}}{{{_number(total)}}}"
    latex = rf"{_cell(at)} = {general} = {own} = {_number(result)}"
    return Explanation("softmax", "key", lines, result, latex)


def _kept(at: _Place) -> Explanation:
    kept = at.number("kept")
    p = _number(float(at.trace["dropout"].value))
    return Explanation(
        "kept" if kept else "lost", "", (), kept, rf"D_{{{_index(at)}}} = {_number(kept)}, \quad p = {p}"
    )


def _dropped(at: _Place) -> Explanation:
    p, weight, kept = float(at.trace["dropout"].value), at.number("weights"), at.number("kept")
    result = weight * kept / (1 - p or 1)
    quotient = rf"\frac{{{_number(weight)} \cdot {_number(kept)}}}{{1 - {_number(p)}}}"
    latex = rf"{_cell(at)} \leftarrow {quotient} = {_number(result)}"
    return Explanation("dropped", "", (), result, latex)


def _joined(at: _Place) -> Explanation:
    outputs = at.trace["output"]
    head, feature = divmod(at.column, outputs.value.shape[-1])
    own = _Place(at.trace, "output", at.row, feature, at.batch, head)
    result = own.number("output")
    latex = rf"O_{{{_index(at)}}} = (O_{{{head + 1}}})_{{{at.row + 1}{feature + 1}}} = {_number(result)}"
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


def _plain(latex: str) -> str:
    """A letter with an index as plain text."""
    return latex.replace("_{", " ").translate(str.maketrans("", "", "(){}")).replace(":,", "·,")


def _index(at: _Place) -> str:
    comma = "," if max(at.row, at.column) >= 9 else ""
    return f"{at.row + 1}{comma}{at.column + 1}"


def _sum(a: Tensor, b: Tensor, most: int = 5) -> str:
    """The terms of a dot product in their order; of many, those that matter most."""
    terms = [rf"{_number(float(x))} \cdot {_signed(float(y))}" for x, y in zip(a, b, strict=True)]
    if len(terms) > most:
        largest = sorted((a * b).abs().argsort(descending=True, stable=True)[: most - 1].tolist())
        terms = [*(terms[index] for index in largest), r"\cdots"]
    return " + ".join(terms).replace("+ -", "- ")


def _number(value: float) -> str:
    """Four significant digits in LaTeX."""
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    digits, _, exponent = f"{value:.4g}".partition("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits


def _signed(value: float) -> str:
    """A number that may follow an operator."""
    return f"({_number(value)})" if value < 0 else _number(value)
