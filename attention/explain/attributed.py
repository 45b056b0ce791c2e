"""Cells of a comparison of attributions: the share that a method gives a key, and the correlation of two rankings.

Each returns the same as `attention.explain.cell.cell` does for a step. The divisor is the largest value of the method,
in magnitude.
"""

import math
from collections.abc import Callable, Sequence

from torch import Tensor

from attention.explain.explanation import Explanation, Line
from attention.explain.latex import number, products, signed, terms

Told = tuple[str, tuple[Line, ...], float]


def share(method: str, operands: Sequence[Tensor], largest: float) -> Explanation:
    """The share of a key. method: one of `attention.analysis.attribution.METHODS`; operands: those of the key, each of
    them (terms,), as `Attribution.operands` has them."""
    equation, lines, value = _METHODS[method](*(each.double().cpu() for each in operands))
    axis = {"weight": "head", "weight_norm": "out", "deletion": ""}.get(method, "feature")
    told = rf"\frac{{{equation}}}{{{number(largest)}}} ="
    return Explanation(f"share_{method}", axis, lines, value / largest if largest else 0.0, told)


def rank_correlation(first: Tensor, second: Tensor, names: tuple[str, str]) -> Explanation:
    """The correlation of two rankings (keys,), 0 if one of them ranks all keys the same (Spearman 1904)."""
    a, b = (each.double().cpu() - each.double().mean().item() for each in (first, second))
    above, spread = float((a * b).sum()), math.sqrt(float(a.square().sum() * b.square().sum()))
    lines = tuple(Line(name, ranks.double().cpu()) for name, ranks in zip(names, (first, second), strict=True))
    general = r"\frac{\sum_j (r_j - \bar r)(s_j - \bar s)}{\sqrt{\sum_j (r_j - \bar r)^2 \sum_j (s_j - \bar s)^2}}"
    if not spread:
        return Explanation("ranked_alike", "key", lines, 0.0, r"\rho =")
    equation = rf"\rho = {general} = \frac{{{number(above)}}}{{{number(spread)}}} ="
    return Explanation("ranked", "key", lines, above / spread, equation)


def _weight(weights: Tensor) -> Told:
    return rf"\frac{{1}}{{{len(weights)}}} ({terms(weights)})", (Line("A", weights),), float(weights.mean())


def _weight_norm(brought: Tensor) -> Told:
    squares = brought.square()
    return rf"\sqrt{{{terms(squares)}}}", (Line("A V W_O", brought), Line("(A V W_O)²", squares)), float(brought.norm())


def _product(gradient: Tensor, x: Tensor) -> Told:
    lines = Line("dX", gradient), Line("X", x), Line("dX ⊙ X", gradient * x)
    return products(gradient, x), lines, float((gradient * x).sum())


def _deletion(whole: Tensor, without: Tensor) -> Told:
    a, b = float(whole), float(without)
    return f"{number(a)} - {signed(b)}", (), a - b


_METHODS: dict[str, Callable[..., Told]] = {
    "weight": _weight,
    "weight_norm": _weight_norm,
    "gradient_input": _product,
    "integrated": _product,
    "deletion": _deletion,
}
