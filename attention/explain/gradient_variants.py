"""Explain the lines that later models added to the backward pass, each with the numbers of one cell."""

import math

import torch
from torch import Tensor

from attention.explain.explanation import Explanation, Line
from attention.explain.gradient_part import Part
from attention.explain.latex import number, signed, subscript, terms


def of_group(part: Part, a: str, b: str) -> Explanation:
    """A sum over the query heads that share a key and value head."""
    group = part.gradients[part.id].group
    first = part.head // group * group
    left, right = (part.sentence(each)[first : first + group] for each in (a, b))
    sums = (left[:, :, part.row] * right[:, :, part.column]).sum(-1)
    equation = f"{part.cell} = {terms(sums)} ="
    return Explanation("gradient_group", "head", (Line(f"{a}ᵀ {b}", sums),), float(sums.sum()), equation)


def rotated(part: Part) -> Explanation:
    letter = part.forward[part.by].quantity.letter
    row, angles = part.matrix(f"d{letter}")[part.row], part.matrix(f"Phi_{letter}")[part.row]
    if part.column >= 2 * len(angles):
        return Explanation("gradient_same", "", (), float(row[part.column]), rf"{part.cell} \leftarrow")
    if "::2" in part.code:
        pair, second = divmod(part.column, 2)
        places = 2 * pair, 2 * pair + 1
    else:
        second, pair = divmod(part.column, len(angles))
        places = pair, pair + len(angles)
    a, b = (float(row[place]) for place in places)
    angle, by = float(angles[pair]), signed(float(angles[pair]))
    if second:
        result, sign, names = b * math.cos(angle) - a * math.sin(angle), "-", (b, a)
    else:
        result, sign, names = a * math.cos(angle) + b * math.sin(angle), "+", (a, b)
    told = rf"{number(names[0])} \cdot \cos {by} {sign} {signed(names[1])} \cdot \sin {by}"
    return Explanation("gradient_rotated", "", (), result, rf"{part.cell} \leftarrow {told} =")


def softcapped(part: Part) -> Explanation:
    value, capped = part.own, float(part.matrix("S")[part.row, part.column])
    cap = float(part.step("kappa").value)
    factor = rf"\left(1 - \left(\frac{{{number(capped)}}}{{{number(cap)}}}\right)^2\right)"
    equation = rf"{part.cell} \leftarrow {number(value)} \cdot {factor} ="
    return Explanation("gradient_softcap", "", (), value * (1 - (capped / cap) ** 2), equation)


def new_rows(part: Part, letter: str) -> Explanation:
    row = len(part.matrix(f"C_{letter}")) + part.row
    equation = rf"{part.cell} \leftarrow d{letter}_{{{subscript(row, part.column)}}} ="
    return Explanation("gradient_new", "", (), float(part.matrix(f"d{letter}")[row, part.column]), equation)


def normed(part: Part, letter: str) -> Explanation:
    """The part of the row (its gradient times the gain) that is orthogonal to the normalised row, over its length."""
    row, come = part.before()[part.row], part.matrix(f"d{letter}")[part.row]
    gain = f"g_{letter}"
    if f"* {gain}" in part.code:
        come = come * part.matrix(gain)[0]
    root = math.sqrt(float(row.square().mean()) + torch.finfo(part.forward[part.by].value.dtype).eps)
    unit = row / root
    mean, own = float((come * unit).mean()), float(unit[part.column])
    result = (float(come[part.column]) - own * mean) / root
    numbers = rf"\frac{{{number(float(come[part.column]))} - {signed(own)} \cdot {signed(mean)}}}{{{number(root)}}}"
    named = f"{letter}̂"
    lines = Line(f"d{letter}" + (f" ⊙ {gain}" if f"* {gain}" in part.code else ""), come), Line(named, unit)
    return Explanation("gradient_normed", "feature", lines, result, rf"{part.cell} \leftarrow {numbers} =")


def of_gain(part: Part, letter: str) -> Explanation:
    """A sum over the tokens of all heads and sentences, which the gain multiplies; the line has the shown ones."""
    before, come = (
        step.value.to("cpu", torch.float64) for step in (part.forward.before(part.by, letter), part.step(f"d{letter}"))
    )
    eps = torch.finfo(part.forward[part.by].value.dtype).eps
    products = (come * before / (before.square().mean(-1, keepdim=True) + eps).sqrt())[..., part.column]
    row = part.before()
    unit = row / (row.square().mean(-1, keepdim=True) + eps).sqrt()
    shown = (part.matrix(f"d{letter}") * unit)[:, part.column]
    axis = part.forward[part.by].axes[-2]
    equation = f"{part.cell} = {terms(products.flatten())} ="
    lines = (Line(f"d{letter} ⊙ {letter}̂", shown),)
    return Explanation("gradient_gain", axis, lines, float(products.sum()), equation)


def of_sink(part: Part) -> Explanation:
    """A sum over queries: the share of the sink, times the mean gradient of the other keys."""
    weights, upstream = part.of_head("A"), part.of_head("dA")
    products = (weights.sum(-1) - 1) * (weights * upstream).sum(-1)
    return _of_queries(part, "gradient_sink", "dz", "(rowsum A − 1) rowsum(dA ⊙ A)", products)


def of_slope(part: Part) -> Explanation:
    """A sum over the pairs of the head in all sentences, each times the distance of its positions."""
    i, j = (part.step(name).value.to("cpu", torch.float64) for name in ("p_Q", "p_K"))
    products = (part.of_head("dB") * -(i[:, None] - j).abs()).sum(-1)
    return _of_queries(part, "gradient_slope", "dm", "−rowsum(dB ⊙ |i − j|)", products)


def _of_queries(part: Part, rule: str, cell: str, line: str, products: Tensor) -> Explanation:
    """The sum over the queries of all sentences; the shown queries are the line."""
    shown = products[min(part.batch, len(products) - 1)] if products.ndim > 1 else products
    equation = f"{cell}_{{{part.head + 1}}} = {terms(products.flatten())} ="
    return Explanation(rule, "query", (Line(line, shown),), float(products.sum()), equation)


def over_sentences(part: Part) -> Explanation:
    """The sum over all sentences, which share the bias."""
    come = part.of_head("dS")[..., part.row, part.column].reshape(-1)
    equation = f"{part.cell} = {terms(come)} ="
    return Explanation("gradient_sentences", "batch", (Line("dS", come),), float(come.sum()), equation)
