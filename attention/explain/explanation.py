"""The explanation of a number: its kind, its operands, the formula with numbers in."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attention.explain.latex import plain, products, shown, signed

# The most numbers of a line in `repr`.
_SHOWN = 8


@dataclass(frozen=True)
class Line:
    """Numbers along an axis under a name in plain text: an operand, or a result computed from one."""

    name: str
    values: Tensor


@dataclass(frozen=True, repr=False)
class Explanation:
    """The arithmetic of a cell.

    rule: its kind (given, product, normed, angle, rotated, unturned, cached, new, scale, softcap, slope, biased, may,
    may_not, added, softmax, sink, empty, kept, lost, dropped, joined; of `attention.explain.results` taken_off_head,
    gated; of `attention.explain.states` unit, scaled_query, retained, overlap, later, own, taken_off, value, to_write,
    faded, written; of `attention.explain.indexed` rectified, index_score, chosen, not_chosen, not_permitted, both; of
    `attention.explain.patterns` composed, block_kind; of `attention.explain.derived` average, difference, drawn,
    jacobian, term);
    axis: the name of the axis that the lines run along, "" without lines; computed: the result of the operands, in
    float64; equation: the same with numbers inserted, in LaTeX, up to the result; after: what follows the result;
    subtracted: what is subtracted from each exponent as a softmax is computed, None of another rule;
    recorded: the number of the record, equal to `computed` up to the rounding of its dtype, None where there is none.
    """

    rule: str
    axis: str
    lines: tuple[Line, ...]
    computed: float
    equation: str
    after: str = ""
    recorded: float | None = None
    subtracted: float | None = None

    @property
    def result(self) -> float:
        return self.computed if self.recorded is None else self.recorded

    @property
    def latex(self) -> str:
        return f"{self.equation} {shown(self.result)}{self.after}"

    def __repr__(self) -> str:
        """The formula, and a line of numbers for each operand."""
        return "\n".join([self.latex, *(f"{line.name}: {_some(line.values)}" for line in self.lines)])

    def _repr_latex_(self) -> str:
        """The display in a notebook."""
        return f"$\\displaystyle {self.latex}$"

    def drawn_as(self, value: float) -> "Explanation":
        """Replace the result by the drawn number, if the two differ by no more than rounding in float32."""
        sums = (float(line.values[line.values.isfinite()].abs().sum()) for line in self.lines)
        if not math.isfinite(value) or abs(value - self.computed) > 1e-6 * max(1.0, abs(self.computed), *sums):
            return self
        return replace(self, recorded=value)


def _some(values: Tensor) -> str:
    """The first numbers, and their count."""
    numbers = ", ".join(f"{value:.4g}" for value in values.flatten()[:_SHOWN].tolist())
    return f"{numbers}, … ({values.numel()} numbers)" if values.numel() > _SHOWN else numbers


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
