"""Explain the lines of the backward pass of Vaswani et al. 2017, each with the numbers of one cell."""

from dataclasses import replace

from torch import Tensor

from attention.explain.explanation import Explanation, Line, dot
from attention.explain.gradient_part import Part, bracketed
from attention.explain.latex import number, signed, subscript, terms


def rows_by_columns(part: Part, a: str, b: str) -> Explanation:
    return _dot(part, a, b, part.matrix(a)[part.row], part.matrix(b)[:, part.column], part.step(a).axes[-1], False)


def rows_by_rows(part: Part, a: str, b: str) -> Explanation:
    return _dot(part, a, b, part.matrix(a)[part.row], part.matrix(b)[part.column], part.step(a).axes[-1], False)


def columns_by_columns(part: Part, a: str, b: str) -> Explanation:
    return _dot(part, a, b, part.matrix(a)[:, part.row], part.matrix(b)[:, part.column], part.step(a).axes[-2], True)


def _dot(part: Part, a: str, b: str, left: Tensor, right: Tensor, axis: str, transposed: bool) -> Explanation:
    i, j = part.row + 1, part.column + 1
    rows = f":,{i}" if transposed else f"{i}"
    columns = f"{j}" if part.code.endswith(".mT") else f":,{j}"
    names = f"{bracketed(a)}_{{{rows}}}", f"{bracketed(b)}_{{{columns}}}"
    return replace(dot(part.cell, names, left, right, axis), rule="gradient_product")


def of_parameter(part: Part, a: str, b: str) -> Explanation:
    """A sum over the tokens of all sentences: those of the shown sentence are operands, the others one number."""
    sums = []
    batches = max((part.step(each).sizes.get("batch", 1) for each in (a, b)), default=1)
    for batch in range(batches):
        one = replace(part, batch=batch)
        sums.append(float(one.matrix(a)[:, part.row] @ one.matrix(b)[:, part.column]))
    shown = min(part.batch, batches - 1)
    others = (r"\cdots", sum(sums) - sums[shown]) if batches > 1 else None
    here = replace(part, batch=shown)
    names = f"{bracketed(a)}_{{:,{part.row + 1}}}", f"{bracketed(b)}_{{:,{part.column + 1}}}"
    left, right = here.matrix(a)[:, part.row], here.matrix(b)[:, part.column]
    rule = "gradient_tokens_batch" if others else "gradient_tokens"
    return replace(dot(part.cell, names, left, right, part.step(a).axes[-2], others), rule=rule)


def over_heads(part: Part, a: str, b: str) -> Explanation:
    sums = (part.sentence(a)[:, part.row] * part.sentence(b)[:, part.column]).sum(-1)
    name = f"{a} {b}ᵀ".replace("_", " ")
    equation = f"{part.cell} = {terms(sums)} ="
    return Explanation("gradient_heads", "head", (Line(name, sums),), float(sums.sum()), equation)


def of_bias(part: Part, a: str) -> Explanation:
    tokens = part.of_head(a)[..., part.column]
    shown = tokens[min(part.batch, len(tokens) - 1)] if tokens.ndim > 1 else tokens
    lines = (Line(f"{a} ·,{part.column + 1}", shown),)
    equation = f"{part.cell} = {terms(tokens.flatten())} ="
    return Explanation("gradient_bias", part.step(a).axes[-2], lines, float(tokens.sum()), equation)


def softmax(part: Part) -> Explanation:
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


def by_root(part: Part) -> Explanation:
    d_k, value = part.step("Q").value.shape[-1], part.own
    quotient = rf"\frac{{{number(value)}}}{{\sqrt{{{d_k}}}}}"
    return Explanation("gradient_scale", "", (), value / d_k**0.5, rf"{part.cell} \leftarrow {quotient} =")


def by_factor(part: Part) -> Explanation:
    c, value = float(part.step("c").value), part.own
    return Explanation(
        "gradient_scale", "", (), c * value, rf"{part.cell} \leftarrow {number(c)} \cdot {signed(value)} ="
    )


def masked(part: Part) -> Explanation:
    seen = bool(part.matrix("M")[part.row, part.column])
    rule = "gradient_seen" if seen else "gradient_hidden"
    return Explanation(rule, "", (), part.own if seen else 0.0, rf"{part.cell} \leftarrow")


def same(part: Part) -> Explanation:
    return Explanation("gradient_same", "", (), part.own, rf"{part.cell} =")


def dropped(part: Part) -> Explanation:
    p, value = float(part.step("p").value), part.own
    kept = float(part.matrix("D")[part.row, part.column])
    quotient = rf"\frac{{{number(value)} \cdot {number(kept)}}}{{1 - {number(p)}}}"
    rule = "gradient_kept" if kept else "gradient_lost"
    return Explanation(rule, "", (), value * kept / (1 - p or 1), rf"{part.cell} \leftarrow {quotient} =")


def split(part: Part) -> Explanation:
    whole = part.matrix("dO")
    width = part.gradients[part.id].value.shape[-1]
    column = part.head * width + part.column
    equation = rf"{part.cell} \leftarrow dO_{{{subscript(part.row, column)}}} ="
    return Explanation("gradient_split", "", (), float(whole[part.row, column]), equation)
