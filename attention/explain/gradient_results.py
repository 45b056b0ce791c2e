"""Explain the lines of the backward pass through a gate, a difference and the sink of a query."""

import torch
from torch import Tensor

from attention.explain.explanation import Explanation, Line
from attention.explain.gradient_part import Part
from attention.explain.latex import number, signed, terms


def opened(part: Part) -> Explanation:
    """The gradient of the output passes as far as the gate is open."""
    logit = _logit(part, part.row, part.column)
    result = part.own * float(logit.sigmoid())
    equation = rf"{part.cell} \leftarrow {number(part.own)} \cdot \sigma({number(float(logit))}) ="
    return Explanation("gradient_opened", "", (), result, equation)


def of_gate(part: Part) -> Explanation:
    """The gradient of a gate: times the slope of the sigmoid, for one feature, or for all features of a query."""
    upstream, before = part.matrix("dO"), part.before()
    by_query = ".sum(-1)" in part.code
    row = part.column if by_query else part.row
    products = upstream[row] * before[row]
    come = float(products.sum() if by_query else products[part.column])
    share = float(_logit(part, row, part.column).sigmoid())
    equation = rf"{part.cell} = {number(come)} \cdot {number(share)} \cdot (1 - {number(share)}) ="
    lines = (Line("dO ⊙ O", products),) if by_query else ()
    return Explanation("gradient_gate", "value" if by_query else "", lines, come * share * (1 - share), equation)


def _logit(part: Part, row: int, column: int) -> Tensor:
    gate = part.step("G").of(batch=part.batch, head=part.head).to("cpu", torch.float64)
    return gate[row] if gate.ndim == 1 else gate[row, column]


def heads_of_gate(part: Part) -> Explanation:
    """A sum over the heads, each of which has a gate that reads the token."""
    products = part.sentence("dG")[:, part.row] * part.sentence("W_G")[:, part.column]
    equation = f"{part.cell} = {terms(products)} ="
    return Explanation("gradient_heads", "head", (Line("dG W G", products),), float(products.sum()), equation)


def weights_of_gate(part: Part) -> Explanation:
    """A sum over the tokens of all sentences, which the weight multiplies; the line has those of the shown sentence."""
    upstream, tokens = part.of_head("dG"), part.step("X").value.to("cpu", torch.float64)[..., part.column]
    products = upstream * tokens
    shown = products[min(part.batch, len(products) - 1)] if products.ndim > 1 else products
    equation = f"{part.cell} = {terms(products.flatten())} ="
    return Explanation("gradient_gate_weights", "query", (Line("dG ⊙ X", shown),), float(products.sum()), equation)


def of_pair(part: Part) -> Explanation:
    """The first head of a pair gets the incoming gradient, the second minus lambda times that."""
    if part.head % 2 == 0:
        return Explanation("gradient_same", "", (), part.own, rf"{part.cell} \leftarrow")
    taken = part.step("lambda_D").of(batch=part.batch, head=part.head)
    by = float(taken[part.row] if taken.ndim else taken)
    equation = rf"{part.cell} \leftarrow {number(-by)} \cdot {signed(part.own)} ="
    return Explanation("gradient_taken_off", "", (), -by * part.own, equation)


def of_lambda(part: Part) -> Explanation:
    """A sum over the pairs of words from which lambda takes weight, of one query or of all."""
    weights, upstream = (
        step.value.to("cpu", torch.float64) for step in (part.forward.before(part.by, "A"), part.step("dA"))
    )
    products = -upstream * weights[..., 1::2, :, :]
    step = part.forward["lambda"]
    if "head_pair" in step.axes:
        products = products.select(-3, part.head // step.group)
    by_query = "query" in step.axes
    if by_query:
        products = products[..., part.column, :]
        products = products[min(part.batch, len(products) - 1)] if products.ndim > 1 else products
    equation = f"{part.cell} = {terms(products.flatten())} ="
    lines = (Line("−dA ⊙ A", products),) if by_query else ()
    return Explanation("gradient_lambda", "key" if by_query else "", lines, float(products.sum()), equation)


def of_own_sink(part: Part) -> Explanation:
    """The share of the sink of a query, times the mean gradient of the other keys."""
    weights, upstream = (part.matrix(name)[part.column] for name in ("A", "dA"))
    products = weights * upstream
    taken, mean = float(weights.sum()) - 1, float(products.sum())
    equation = f"{part.cell} = {number(taken)} \\cdot {signed(mean)} ="
    return Explanation("gradient_own_sink", "key", (Line("dA ⊙ A", products),), taken * mean, equation)
