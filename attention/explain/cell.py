"""The arithmetic of one cell of one step, with the recorded operands."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attention.explain.latex import number, plain, products, shown, signed, subscript
from attention.trace import Step, Trace


@dataclass(frozen=True)
class Line:
    """Numbers along an axis under a name in plain text: an operand, or a result computed from one."""

    name: str
    values: Tensor


@dataclass(frozen=True)
class Explanation:
    """The arithmetic of a cell.

    rule: its kind (given, product, normed, angle, rotated, cached, new, scale, softcap, slope, biased, may, may_not,
    added, softmax, sink, empty, kept, lost, dropped, joined; and those of `attention.explain.derived`: average,
    difference, drawn, jacobian, term); axis: the name of the axis that the lines run along, "" without lines; computed:
    the result of the operands, in float64; equation: the same with numbers inserted, in LaTeX, up to the result; after:
    what follows the result; recorded: the number of the record, equal to `computed` up to the rounding of its dtype;
    None where no record has it.
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
        """Replace the result by the number that is drawn, if the two differ by no more than rounding in float32."""
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

    def operand(self, letter: str) -> str:
        """The id of the step that a letter means in the code of this one."""
        return self.trace.before(self.id, letter).id


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
    """A row of one matrix times a column (or, transposed, a row) of another, plus a bias, all by their letters."""

    def explained(at: _Place) -> Explanation:
        first, second = at.operand(left), at.operand(right)
        other = at.matrix(second)
        a, b = at.matrix(first)[at.row], other[at.column] if transposed else other[:, at.column]
        i, j = at.row + 1, at.column + 1
        factors = f"{_name(at.trace[first])}_{{{i}}}", f"{_name(at.trace[second])}_{{{'' if transposed else ':,'}{j}}}"
        added = None
        if bias and bias.lower() in at.trace:
            added = f"{_name(at.trace[bias.lower()])}_{{{j}}}", float(at.matrix(bias.lower())[at.column])
        return dot(_cell(at), factors, a, b, at.trace[first].axes[-1], added)

    return explained


def _projection(of: str) -> Callable[[_Place], Explanation]:
    """A projection of X, or, for keys and values in cross-attention, of the context; without a module they are
    givens."""

    def explained(at: _Place) -> Explanation:
        if at.trace[at.id].quantity.given:
            return _given(at)
        source = "C" if of != "Q" and "context" in at.trace else "X"
        return _product(source, f"W_{of}", f"b_{of}")(at)

    return explained


def _normed(at: _Place) -> Explanation:
    step = at.trace[at.id]
    letter = step.quantity.letter
    row = at.matrix(at.operand(letter))[at.row]
    gain = f"g_{letter.lower()}"
    by = float(at.matrix(gain)[at.column]) if gain in at.trace else 1.0
    root = math.sqrt(float(row.square().mean()) + torch.finfo(step.value.dtype).eps)
    value = float(row[at.column])
    before = rf"{number(by)} \cdot " if gain in at.trace else ""
    line = f"{letter} {at.row + 1}"
    lines = Line(line, row), Line(f"{line}²", row.square())
    quotient = rf"\frac{{{number(value)}}}{{\sqrt{{{number(float(row.square().mean()))}}}}}"
    return Explanation("normed", "feature", lines, by * value / root, rf"{_cell(at)} \leftarrow {before}{quotient} =")


def _appended(at: _Place) -> Explanation:
    letter = at.trace[at.id].quantity.letter
    kept = at.matrix(f"past_{ {'K': 'keys', 'V': 'values'}[letter] }")
    rule, row = ("cached", at.row) if at.row < len(kept) else ("new", at.row - len(kept))
    source = kept if rule == "cached" else at.matrix(at.operand(letter))
    name = f"C_{letter}" if rule == "cached" else letter
    equation = rf"{_cell(at)} \leftarrow ({name})_{{{subscript(row, at.column)}}} ="
    return Explanation(rule, "", (), float(source[row, at.column]), equation)


def _angle(at: _Place) -> Explanation:
    of = at.trace[at.id].quantity.letter[-1]
    # With a cache, the first positions are those of the keys in it.
    earlier = len(at.matrix(at.operand(f"p_{of}"))) - at.matrix(at.id).shape[0]
    position = float(at.matrix(at.operand(f"p_{of}"))[earlier + at.row])
    turn = float(at.matrix(at.operand("theta"))[at.column])
    return Explanation("angle", "", (), position * turn, rf"{_cell(at)} = {number(position)} \cdot {signed(turn)} =")


def _rotated(at: _Place) -> Explanation:
    step = at.trace[at.id]
    letter = step.quantity.letter
    row, angles = (at.matrix(at.operand(name))[at.row] for name in (letter, f"Phi_{letter}"))
    pairs = len(angles)
    # In either convention: which of its pair this feature is, and the places of both.
    if "[..., ::2]" in step.quantity.code:
        pair, second = divmod(at.column, 2)
        places = 2 * pair, 2 * pair + 1
    else:
        second, pair = divmod(at.column, pairs)
        places = pair, pair + pairs
    a, b = (float(row[place]) for place in places)
    angle = float(angles[pair])
    first, other = (r"\sin", r"\cos") if second else (r"\cos", r"\sin")
    sign, by = "+" if second else "-", signed(angle)
    result = a * math.sin(angle) + b * math.cos(angle) if second else a * math.cos(angle) - b * math.sin(angle)
    added = rf"{number(a)} \cdot {first} {by} {sign} {signed(b)} \cdot {other} {by}"
    return Explanation("rotated", "", (), result, rf"{_cell(at)} \leftarrow {added} =")


def _scaled(at: _Place) -> Explanation:
    score = at.number(at.operand("S"))
    if "scale" in at.trace:
        c = float(at.trace["scale"].value)
        result, by = score * c, rf"{number(c)} \cdot {signed(score)}"
    else:
        d_k = at.trace["queries"].value.shape[-1]
        result, by = score / math.sqrt(d_k), rf"\frac{{{number(score)}}}{{\sqrt{{{d_k}}}}}"
    return Explanation("scale", "", (), result, rf"S_{{{_index(at)}}} \leftarrow {by} =")


def _softcapped(at: _Place) -> Explanation:
    score, cap = at.number(at.operand("S")), float(at.trace["softcap"].value)
    by = rf"{number(cap)} \tanh \frac{{{number(score)}}}{{{number(cap)}}}"
    return Explanation("softcap", "", (), cap * math.tanh(score / cap), rf"{_cell(at)} \leftarrow {by} =")


def _bias(at: _Place) -> Explanation:
    m = float(at.matrix("slopes"))
    i, j = float(at.matrix("query_positions")[at.row]), float(at.matrix("key_positions")[at.column])
    by = rf"{number(-m)} \cdot |{number(i)} - {signed(j)}|"
    return Explanation("slope", "", (), -m * abs(i - j), f"B_{{{_index(at)}}} = {by} =")


def _biased(at: _Place) -> Explanation:
    before, bias = at.number(at.operand("S")), at.number("bias")
    equation = rf"{_cell(at)} \leftarrow {number(before)} + {signed(bias)} ="
    return Explanation("biased", "", (), before + bias, equation)


def _mask(at: _Place) -> Explanation:
    value = at.number("mask")
    rule = "added" if at.matrix("mask").dtype != torch.bool else "may" if value else "may_not"
    return Explanation(rule, "", (), value, f"M_{{{_index(at)}}} =")


def _masked(at: _Place) -> Explanation:
    rule, before, mask = _mask(at).rule, at.number(at.operand("S")), at.number("mask")
    result = before + mask if rule == "added" else before if mask else -math.inf
    came = f" {number(before)} + {signed(mask)} =" if rule == "added" else ""
    return Explanation(rule, "", (), result, rf"S_{{{_index(at)}}} \leftarrow{came}")


def _softmax(at: _Place) -> Explanation:
    row = at.matrix(at.operand("S"))[at.row]
    largest = row.max()
    if largest == -math.inf:
        return Explanation("empty", "key", (Line("S", row),), 0.0, f"A_{{{_index(at)}}} =")
    sink = float(at.matrix("sink")) if "sink" in at.trace else None
    # The largest of all terms, so that no exponential overflows.
    top = float(largest) if sink is None else max(float(largest), sink)
    shifted = row - top
    powers = shifted.exp()
    total = float(powers.sum()) + (0.0 if sink is None else math.exp(sink - top))
    result = float(powers[at.column]) / total
    most = r"\max S" if sink is None else r"\max(S, z)"
    name = "max S" if sink is None else "max(S, z)"
    lines = (
        Line("S", row),
        Line(f"S − {name}", shifted),
        Line(f"exp(S − {name})", powers),
        Line("A", powers / total),
    )
    also = "" if sink is None else rf" + e^{{z - {most}}}"
    general = rf"\frac{{e^{{S_{{{_index(at)}}} - {most}}}}}{{\sum_j e^{{S_{{{at.row + 1}j}} - {most}}}{also}}}"
    own = rf"\frac{{e^{{{number(float(row[at.column]))} - {signed(top)}}}}}{{{number(total)}}}"
    equation = f"{_cell(at)} = {general} = {own} ="
    if sink is None:
        return Explanation("softmax", "key", lines, result, equation)
    return Explanation("sink", "key", lines, result, equation)


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
    "queries": _projection("Q"),
    "keys": _projection("K"),
    "values": _projection("V"),
    "queries_normed": _normed,
    "keys_normed": _normed,
    "query_angles": _angle,
    "key_angles": _angle,
    "queries_rotated": _rotated,
    "keys_rotated": _rotated,
    "keys_joined": _appended,
    "values_joined": _appended,
    "scores": _product("Q", "K", transposed=True),
    "scaled": _scaled,
    "softcapped": _softcapped,
    "bias": _bias,
    "biased": _biased,
    "mask": _mask,
    "masked": _masked,
    "weights": _softmax,
    "kept": _kept,
    "dropped": _dropped,
    "output": _product("A", "V"),
    "concat": _joined,
    "projected": _product("O", "W_O", "b_O"),
}


def _name(step: Step) -> str:
    """The letter of a quantity: the left-hand side of its formula, ready for a subscript."""
    letter = re.split(r"=|\\leftarrow|\\sim|_\{", step.quantity.formula)[0].strip()
    return f"({letter})" if "_" in letter else letter


def _cell(at: _Place) -> str:
    return f"{_name(at.trace[at.id])}_{{{_index(at)}}}"


def _index(at: _Place) -> str:
    return subscript(at.row, at.column)
