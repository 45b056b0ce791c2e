"""Numbers in formulas: LaTeX, and the plain text of a letter with an index."""

import math
from decimal import ROUND_HALF_UP, Decimal

import torch
from torch import Tensor

# The most terms of a dot product that are written out; a longer one shows one fewer and dots.
MOST = 8


def plain(latex: str) -> str:
    """A letter with an index as plain text."""
    return latex.replace("_{", " ").translate(str.maketrans("", "", "(){}")).replace(":,", "·,")


def subscript(row: int, column: int) -> str:
    """The index of a row and a column, given from 0, as formulas count them (from 1)."""
    comma = "," if max(row, column) >= 9 else ""
    return f"{row + 1}{comma}{column + 1}"


def products(a: Tensor, b: Tensor, most: int = MOST) -> str:
    """The terms of a dot product in their order; of more than `most`, the largest ones."""
    terms = [rf"{number(float(x))} \cdot {signed(float(y))}" for x, y in zip(a, b, strict=True)]
    return _added(terms, a * b, most)


def terms(a: Tensor, most: int = 5) -> str:
    """Numbers added up in their order; of many, the largest ones."""
    return _added([number(float(x)) for x in a], a, most)


def _added(terms: list[str], values: Tensor, most: int) -> str:
    if len(terms) > most:
        largest = sorted(values.abs().argsort(descending=True, stable=True)[: most - 1].tolist())
        terms = [*(terms[index] for index in largest), r"\cdots"]
    return " + ".join(terms).replace("+ -", "- ")


def number(value: float) -> str:
    """Four significant digits in LaTeX."""
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    digits, _, exponent = f"{value:.4g}".partition("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits


def shown(value: float) -> str:
    """A result with the digits that a figure shows: five significant digits of float32, integers whole.

    A figure rounds a tie away from zero, as browsers do; the formatting of Python rounds it to the even digit.
    """
    drawn = Decimal(torch.tensor(value, dtype=torch.float32).item())
    if not drawn.is_finite():
        return number(float(drawn))
    if drawn == drawn.to_integral_value() and abs(drawn) < 10**21:
        return str(int(drawn))
    rounded = drawn.quantize(Decimal(1).scaleb(drawn.adjusted() - 4), ROUND_HALF_UP).normalize()
    if -4 <= rounded.adjusted() < 6:
        return f"{rounded:f}"
    return rf"{rounded.scaleb(-rounded.adjusted()):f} \cdot 10^{{{rounded.adjusted()}}}"


def signed(value: float) -> str:
    """A number that may follow an operator."""
    return f"({number(value)})" if value < 0 else number(value)
