"""The arithmetic of one cell of one gradient, with the operands of the backward step."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attention.explain.cell import Explanation, Line, dot
from attention.explain.latex import number, signed, subscript, terms
from attention.trace import Step, Trace


@dataclass(frozen=True)
class _Part:
    """The contribution of one step to a cell of the gradient of another: its line of Python, and where its operands
    are."""

    forward: Trace
    gradients: Trace
    id: str
    by: str
    code: str
    row: int
    column: int
    batch: int
    head: int

    def step(self, letter: str) -> Step:
        """The step that a letter of the line stands for: a gradient, or the last one before the line that has it."""
        if letter.startswith("d"):
            return self.gradients[self.by]
        ids = list(self.forward)
        known = ids[: ids.index(self.by) + 1]
        return next(self.forward[id] for id in reversed(known) if self.forward[id].quantity.letter == letter)

    def matrix(self, letter: str) -> Tensor:
        return _matrix(self.step(letter), self.batch, self.head)

    def sentence(self, letter: str) -> Tensor:
        """Of the sentence, all heads."""
        step = self.step(letter)
        value = step.value.to("cpu", torch.float64)
        return value[min(self.batch, len(value) - 1)] if "batch" in step.axes else value

    @property
    def cell(self) -> str:
        return f"{_bracketed(self.gradients[self.id].quantity.letter)}_{{{subscript(self.row, self.column)}}}"


def cell(
    forward: Trace,
    gradients: Trace,
    id: str,
    row: int,
    column: int,
    *,
    by: Sequence[str],
    batch: int = 0,
    head: int = 0,
) -> Explanation:
    """The arithmetic of the number at (row, column), counted from 0, of the gradient of a step.

    gradients: with the rows of the backward pass; by: the steps that read the step, whose gradients are its operands,
    in the order of the terms of its line; none of the target's own step. Rules: upstream, autograd (no formula),
    formula (one that is not shown with numbers), and those of `_LINES`, gradient_product to gradient_split.
    ValueError: no such gradient, or a cell outside of it.
    """
    if id not in gradients:
        raise ValueError(f"the target does not depend on {id!r}; it depends on {', '.join(gradients)}")
    matrix = _matrix(gradients[id], batch, head)
    for axis, index, size in zip(("row", "column"), (row, column), matrix.shape, strict=True):
        if not 0 <= index < size:
            raise ValueError(f"{axis} {index} is outside the gradient of step {id!r}, which has {size}")
    recorded, quantity = float(matrix[row, column]), gradients[id].quantity
    codes = [] if quantity.given else quantity.code.partition(" = ")[2].split(" + ")
    parts = [
        _Part(forward, gradients, id, one, code, row, column, batch, head) for one, code in zip(by, codes, strict=False)
    ]
    told = [_told(part) for part in parts]
    if not told or any(each is None for each in told):
        name = f"{_bracketed(quantity.letter)}_{{{subscript(row, column)}}} ="
        rule = "upstream" if not by else "autograd" if quantity.given else "formula"
        return Explanation(rule, "", (), recorded, name, recorded=recorded)
    found = [each for each in told if each is not None]
    return replace(found[0] if len(found) == 1 else _added(parts, found), recorded=recorded)


def _added(parts: Sequence[_Part], told: Sequence[Explanation]) -> Explanation:
    """The sum of the contributions of several steps."""
    numbers = torch.tensor([each.computed for each in told], dtype=torch.float64)
    lines = tuple(line for each in told for line in each.lines[-1:])
    axis = told[0].axis
    same = all(each.axis == axis for each in told) and len({len(line.values) for line in lines}) == 1
    equation = f"{parts[0].cell} = {terms(numbers)} ="
    return Explanation("gradient_added", axis, lines if same else (), float(numbers.sum()), equation)


def _told(part: _Part) -> Explanation | None:
    for pattern, tell in _LINES:
        if found := re.fullmatch(pattern, part.code):
            return tell(part, *found.groups())
    return None


def _rows_by_columns(part: _Part, a: str, b: str) -> Explanation:
    return _dot(part, a, b, part.matrix(a)[part.row], part.matrix(b)[:, part.column], part.step(a).axes[-1], False)


def _rows_by_rows(part: _Part, a: str, b: str) -> Explanation:
    return _dot(part, a, b, part.matrix(a)[part.row], part.matrix(b)[part.column], part.step(a).axes[-1], False)


def _columns_by_columns(part: _Part, a: str, b: str) -> Explanation:
    return _dot(part, a, b, part.matrix(a)[:, part.row], part.matrix(b)[:, part.column], part.step(a).axes[-2], True)


def _dot(part: _Part, a: str, b: str, left: Tensor, right: Tensor, axis: str, transposed: bool) -> Explanation:
    i, j = part.row + 1, part.column + 1
    rows = f":,{i}" if transposed else f"{i}"
    columns = f"{j}" if part.code.endswith(".mT") else f":,{j}"
    names = f"{_bracketed(a)}_{{{rows}}}", f"{_bracketed(b)}_{{{columns}}}"
    return replace(dot(part.cell, names, left, right, axis), rule="gradient_product")


def _of_parameter(part: _Part, a: str, b: str) -> Explanation:
    """The tokens of all sentences add up: those of the shown sentence as operands, the others as one number."""
    sums = []
    batches = max((part.step(each).sizes.get("batch", 1) for each in (a, b)), default=1)
    for batch in range(batches):
        one = replace(part, batch=batch)
        sums.append(float(one.matrix(a)[:, part.row] @ one.matrix(b)[:, part.column]))
    shown = min(part.batch, batches - 1)
    others = (r"\cdots", sum(sums) - sums[shown]) if batches > 1 else None
    here = replace(part, batch=shown)
    names = f"{_bracketed(a)}_{{:,{part.row + 1}}}", f"{_bracketed(b)}_{{:,{part.column + 1}}}"
    left, right = here.matrix(a)[:, part.row], here.matrix(b)[:, part.column]
    rule = "gradient_tokens_batch" if others else "gradient_tokens"
    return replace(dot(part.cell, names, left, right, part.step(a).axes[-2], others), rule=rule)


def _over_heads(part: _Part, a: str, b: str) -> Explanation:
    sums = (part.sentence(a)[:, part.row] * part.sentence(b)[:, part.column]).sum(-1)
    name = f"{a} {b}ᵀ".replace("_", " ")
    equation = f"{part.cell} = {terms(sums)} ="
    return Explanation("gradient_heads", "head", (Line(name, sums),), float(sums.sum()), equation)


def _of_bias(part: _Part, a: str) -> Explanation:
    step, value = part.step(a), part.step(a).value.to("cpu", torch.float64)
    if "head" in step.axes:
        value = value.select(step.axes.index("head"), part.head)
    tokens = value[..., part.column]
    shown = tokens[min(part.batch, len(tokens) - 1)] if tokens.ndim > 1 else tokens
    lines = (Line(f"{a} ·,{part.column + 1}", shown),)
    equation = f"{part.cell} = {terms(tokens.flatten())} ="
    return Explanation("gradient_bias", step.axes[-2], lines, float(tokens.sum()), equation)


def _softmax(part: _Part) -> Explanation:
    weights, upstream = part.matrix("A")[part.row], part.matrix("dA")[part.row]
    products = weights * upstream
    mean = float(products.sum())
    weight, own = float(weights[part.column]), float(upstream[part.column])
    result = weight * (own - mean)
    i, at = part.row + 1, subscript(part.row, part.column)
    general = rf"A_{{{at}}} (dA_{{{at}}} - dA_{{{i}}} \cdot A_{{{i}}})"
    numbers = rf"{number(weight)} \cdot ({number(own)} - {signed(mean)})"
    lines = (Line("A", weights), Line("dA", upstream), Line("dA ⊙ A", products), Line("dS", products - weights * mean))
    return Explanation("gradient_softmax", "key", lines, result, f"{part.cell} = {general} = {numbers} =")


def _by_root(part: _Part) -> Explanation:
    d_k, value = part.step("Q").value.shape[-1], _own(part)
    quotient = rf"\frac{{{number(value)}}}{{\sqrt{{{d_k}}}}}"
    return Explanation("gradient_scale", "", (), value / d_k**0.5, rf"{part.cell} \leftarrow {quotient} =")


def _by_factor(part: _Part) -> Explanation:
    c, value = float(part.step("c").value), _own(part)
    return Explanation(
        "gradient_scale", "", (), c * value, rf"{part.cell} \leftarrow {number(c)} \cdot {signed(value)} ="
    )


def _masked(part: _Part) -> Explanation:
    seen = bool(part.matrix("M")[part.row, part.column])
    rule = "gradient_seen" if seen else "gradient_hidden"
    return Explanation(rule, "", (), _own(part) if seen else 0.0, rf"{part.cell} \leftarrow")


def _same(part: _Part) -> Explanation:
    return Explanation("gradient_same", "", (), _own(part), rf"{part.cell} =")


def _dropped(part: _Part) -> Explanation:
    p, value = float(part.step("p").value), _own(part)
    kept = float(part.matrix("D")[part.row, part.column])
    quotient = rf"\frac{{{number(value)} \cdot {number(kept)}}}{{1 - {number(p)}}}"
    rule = "gradient_kept" if kept else "gradient_lost"
    return Explanation(rule, "", (), value * kept / (1 - p or 1), rf"{part.cell} \leftarrow {quotient} =")


def _split(part: _Part) -> Explanation:
    whole = part.matrix("dO")
    width = part.gradients[part.id].value.shape[-1]
    column = part.head * width + part.column
    equation = rf"{part.cell} \leftarrow dO_{{{subscript(part.row, column)}}} ="
    return Explanation("gradient_split", "", (), float(whole[part.row, column]), equation)


def _own(part: _Part) -> float:
    """The cell at the same place of the gradient that comes in."""
    return float(part.matrix("d")[part.row, part.column])


_D, _M = r"(d\w+)", r"(\w+)"
# Of the lines that the backward pass has, how each of them is told.
_LINES: tuple[tuple[str, Callable[..., Explanation]], ...] = (
    (rf"\({_D} @ {_M}\.mT\)\.sum\(-3\)", _over_heads),
    (rf"\({_M}(?:\.unsqueeze\(-3\))?\.mT @ {_D}\)\.sum_to_size\(\w+\.shape\)", _of_parameter),
    (rf"{_D} @ {_M}\.mT", _rows_by_rows),
    (rf"{_D} @ {_M}", _rows_by_columns),
    (rf"{_M}\.mT @ {_M}", _columns_by_columns),
    (rf"{_D}(?:\.sum\(-2\))?\.sum_to_size\(\w+\.shape\)", _of_bias),
    (r"A \* \(dA - \(dA \* A\)\.sum\(-1, keepdim=True\)\)", _softmax),
    (r"d\w+ / math\.sqrt\(Q\.shape\[-1\]\)", _by_root),
    (r"d\w+ \* c", _by_factor),
    (r"d\w+\.masked_fill\(~M, 0\)", _masked),
    (r"d\w+ \* D / \(1 - p or 1\)", _dropped),
    (r"dO\.unflatten\(.*", _split),
    (r"d\w+", _same),
)


def _matrix(step: Step, batch: int, head: int) -> Tensor:
    matrix: Tensor = torch.atleast_2d(step.of(batch=batch, head=head).to("cpu", torch.float64))
    return matrix


def _bracketed(letter: str) -> str:
    return f"({letter})" if "_" in letter else letter
