"""The arithmetic of two changes after softmax: the difference of two heads' weights, and a gate on the output."""

import torch

from attention.explain.explanation import Explanation, dot
from attention.explain.latex import number, signed
from attention.explain.operands import given, product
from attention.explain.place import Place


def difference(at: Place) -> Explanation:
    """The weight of the first head of a pair, minus lambda times that of the second."""
    weights = at.trace[at.operand("A")]
    pair = at.head // at.step.group
    first, second = (float(weights.of(batch=at.batch, head=2 * pair + place)[at.row, at.column]) for place in (0, 1))
    taken = at.trace["lambda"].of(batch=at.batch, head=at.head)
    by = float(taken[at.row] if taken.ndim else taken)
    own = rf"{number(first)} - {signed(by)} \cdot {signed(second)}"
    return Explanation("taken_off_head", "", (), first - by * second, rf"{at.cell} \leftarrow {own} =")


def gate(at: Place) -> Explanation:
    """The logit of a gate: a product of the token with a column of each feature, or with one of the whole head."""
    if at.step.quantity.given:
        return given(at)
    if "value" in at.step.axes:
        return product("X", "W_G")(at)
    # The gate of a head is a row here, with a column for each query.
    token = at.column
    x, w = at.matrix(at.operand("X"))[token], at.matrix(at.operand("W_G"))
    return dot(f"G_{{{token + 1}}}", (f"X_{{{token + 1}}}", "W_G"), x, w, at.trace[at.operand("X")].axes[-1])


def gated(at: Place) -> Explanation:
    """A number of the output times the sigmoid of its gate."""
    before, logits = at.number(at.operand("O")), at.matrix("gate")
    logit = float(logits[at.row, at.column] if logits.ndim > 1 else logits[at.row])
    opened = 1 / (1 + torch.tensor(-logit, dtype=torch.float64).exp().item())
    by = rf"\sigma({number(logit)}) = {number(before)} \cdot {number(opened)}"
    equation = rf"{at.cell} \leftarrow {number(before)} \cdot {by} ="
    return Explanation("gated", "", (), before * opened, equation)
