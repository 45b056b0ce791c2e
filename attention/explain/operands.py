"""The arithmetic of a product, and of the changes to queries, keys and values before they meet."""

import math
from collections.abc import Callable

import torch

from attention.explain.explanation import Explanation, Line, dot
from attention.explain.latex import number, signed, subscript
from attention.explain.place import Place, name


def given(at: Place) -> Explanation:
    """An input, or a number that a library computed."""
    return Explanation("given", "", (), float(torch.atleast_2d(at.matrix(at.id))[at.row, at.column]), f"{at.cell} =")


def product(left: str, right: str, bias: str = "", transposed: bool = False) -> Callable[[Place], Explanation]:
    """A row of one matrix times a column (or, transposed, a row) of another, plus a bias, all by their letters."""

    def explained(at: Place) -> Explanation:
        first, second = at.operand(left), at.operand(right)
        other = at.matrix(second)
        a, b = at.matrix(first)[at.row], other[at.column] if transposed else other[:, at.column]
        i, j = at.row + 1, at.column + 1
        factors = f"{name(at.trace[first])}_{{{i}}}", f"{name(at.trace[second])}_{{{'' if transposed else ':,'}{j}}}"
        added = None
        if bias and bias.lower() in at.trace:
            added = f"{name(at.trace[bias.lower()])}_{{{j}}}", float(at.matrix(bias.lower())[at.column])
        return dot(at.cell, factors, a, b, at.trace[first].axes[-1], added)

    return explained


def projection(of: str) -> Callable[[Place], Explanation]:
    """A projection of X or, for keys and values in cross-attention, of the context; a given without a module."""

    def explained(at: Place) -> Explanation:
        if at.step.quantity.given:
            return given(at)
        source = "C" if of != "Q" and "context" in at.trace else "X"
        return product(source, f"W_{of}", f"b_{of}")(at)

    return explained


def normed(at: Place) -> Explanation:
    """A feature over the root of the mean square of its row, times its gain: with the epsilon of `torch.rms_norm`."""
    step = at.step
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
    return Explanation("normed", "feature", lines, by * value / root, rf"{at.cell} \leftarrow {before}{quotient} =")


def appended(at: Place) -> Explanation:
    """A row of all keys or values: one from the cache, or a new one after them."""
    letter = at.step.quantity.letter
    kept = at.matrix(f"past_{ {'K': 'keys', 'V': 'values'}[letter] }")
    rule, row = ("cached", at.row) if at.row < len(kept) else ("new", at.row - len(kept))
    source = kept if rule == "cached" else at.matrix(at.operand(letter))
    of = f"C_{letter}" if rule == "cached" else letter
    equation = rf"{at.cell} \leftarrow ({of})_{{{subscript(row, at.column)}}} ="
    return Explanation(rule, "", (), float(source[row, at.column]), equation)


def angle(at: Place) -> Explanation:
    """A position times the frequency of a pair."""
    of = at.step.quantity.letter[-1]
    # With a cache, the first positions belong to the keys in it.
    earlier = len(at.matrix(at.operand(f"p_{of}"))) - at.matrix(at.id).shape[0]
    position = float(at.matrix(at.operand(f"p_{of}"))[earlier + at.row])
    turn = float(at.matrix(at.operand("theta"))[at.column])
    return Explanation("angle", "", (), position * turn, rf"{at.cell} = {number(position)} \cdot {signed(turn)} =")


def rotated(at: Place) -> Explanation:
    """A coordinate of a pair of features that turns by its angle (Su et al. 2021, equation 34)."""
    step = at.step
    letter = step.quantity.letter
    row, angles = (at.matrix(at.operand(of))[at.row] for of in (letter, f"Phi_{letter}"))
    pairs = len(angles)
    if at.column >= 2 * pairs:
        stays = rf"{at.cell} \leftarrow"
        return Explanation("unturned", "", (), float(row[at.column]), stays)
    # The side of this feature in its pair, and the places of both features, in either convention.
    if "[..., ::2]" in step.quantity.code:
        pair, second = divmod(at.column, 2)
        places = 2 * pair, 2 * pair + 1
    else:
        second, pair = divmod(at.column, pairs)
        places = pair, pair + pairs
    a, b = (float(row[place]) for place in places)
    by = float(angles[pair])
    first, other = (r"\sin", r"\cos") if second else (r"\cos", r"\sin")
    sign = "+" if second else "-"
    result = a * math.sin(by) + b * math.cos(by) if second else a * math.cos(by) - b * math.sin(by)
    added = rf"{number(a)} \cdot {first} {signed(by)} {sign} {signed(b)} \cdot {other} {signed(by)}"
    return Explanation("rotated", "", (), result, rf"{at.cell} \leftarrow {added} =")
