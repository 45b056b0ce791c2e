"""The arithmetic of one cell of one step, with the recorded operands."""

import math
from collections.abc import Callable
from dataclasses import replace

import torch

from attention.explain import indexed, operands, results, states
from attention.explain.explanation import Explanation, Line
from attention.explain.latex import number, signed
from attention.explain.place import Place
from attention.trace import Trace

# Exponentials up to this exponent fit into float64, with room for a sum.
_EXPONENT = 600.0


def cell(trace: Trace, id: str, row: int, column: int, *, batch: int = 0, head: int = 0) -> Explanation:
    """The arithmetic of the number at (row, column), counted from 0, of a step of one sentence and one head.

    ValueError: a step that the trace does not have, or a cell outside its matrix.
    """
    if id not in trace:
        raise ValueError(f"no step {id!r} in this trace; it has {', '.join(trace) or 'none'}")
    place = Place(trace, id, row, column, batch, head)
    matrix = torch.atleast_2d(place.matrix(id))
    for axis, index, size in zip(("row", "column"), (row, column), matrix.shape, strict=True):
        if not 0 <= index < size:
            raise ValueError(f"{axis} {index} is outside step {id!r}, which has {size}")
    return replace(_RULES.get(id, operands.given)(place), recorded=float(matrix[row, column]))


def _scaled(at: Place) -> Explanation:
    score = at.number(at.operand("S"))
    if "scale" in at.trace:
        c = float(at.trace["scale"].value)
        result, by = score * c, rf"{number(c)} \cdot {signed(score)}"
    else:
        d_k = at.trace["queries"].value.shape[-1]
        result, by = score / math.sqrt(d_k), rf"\frac{{{number(score)}}}{{\sqrt{{{d_k}}}}}"
    return Explanation("scale", "", (), result, rf"S_{{{at.index}}} \leftarrow {by} =")


def _softcapped(at: Place) -> Explanation:
    score, cap = at.number(at.operand("S")), float(at.trace["softcap"].value)
    by = rf"{number(cap)} \tanh \frac{{{number(score)}}}{{{number(cap)}}}"
    return Explanation("softcap", "", (), cap * math.tanh(score / cap), rf"{at.cell} \leftarrow {by} =")


def _bias(at: Place) -> Explanation:
    m = float(at.matrix("slopes"))
    i, j = float(at.matrix("query_positions")[at.row]), float(at.matrix("key_positions")[at.column])
    by = rf"{number(-m)} \cdot |{number(i)} - {signed(j)}|"
    return Explanation("slope", "", (), -m * abs(i - j), f"B_{{{at.index}}} = {by} =")


def _biased(at: Place) -> Explanation:
    before, bias = at.number(at.operand("S")), at.number("bias")
    equation = rf"{at.cell} \leftarrow {number(before)} + {signed(bias)} ="
    return Explanation("biased", "", (), before + bias, equation)


def _mask(at: Place) -> Explanation:
    if not at.step.quantity.given and at.id == "mask":
        return indexed.mask(at)
    value = at.number("mask")
    rule = "added" if at.matrix("mask").dtype != torch.bool else "may" if value else "may_not"
    return Explanation(rule, "", (), value, f"M_{{{at.index}}} =")


def _masked(at: Place) -> Explanation:
    rule, before, mask = _mask(at).rule, at.number(at.operand("S")), at.number("mask")
    result = before + mask if rule == "added" else before if mask else -math.inf
    came = f" {number(before)} + {signed(mask)} =" if rule == "added" else ""
    return Explanation(rule, "", (), result, rf"S_{{{at.index}}} \leftarrow{came}")


def _softmax(at: Place) -> Explanation:
    row = at.matrix(at.operand("S"))[at.row]
    largest = row.max()
    if largest == -math.inf:
        return Explanation("empty", "key", (Line("S", row),), 0.0, f"A_{{{at.index}}} =")
    sink = None
    if "sink" in at.trace:
        logits = at.matrix("sink")
        sink = float(logits[at.row] if logits.ndim else logits)
    # The largest of all terms is subtracted from each as it is computed, so that no exponential overflows.
    top = float(largest) if sink is None else max(float(largest), sink)
    within = abs(top) < _EXPONENT
    off = 0.0 if within else top
    powers = (row - off).exp()
    total = float(powers.sum()) + (0.0 if sink is None else math.exp(sink - off))
    most, name = (r"\max S", "max S") if sink is None else (r"\max(S, z)", "max(S, z)")
    minus, shift = ("", "") if within else (f" - {most}", f" - {signed(top)}")
    shifted = () if within else (Line(f"S − {name}", row - top),)
    lines = (
        Line("S", row),
        *shifted,
        Line("exp S" if within else f"exp(S − {name})", powers),
        Line("A", powers / total),
    )
    also = "" if sink is None else rf" + e^{{z{minus}}}"
    general = rf"\frac{{e^{{S_{{{at.index}}}{minus}}}}}{{\sum_j e^{{S_{{{at.row + 1}j}}{minus}}}{also}}}"
    own = rf"\frac{{e^{{{number(float(row[at.column]))}{shift}}}}}{{{number(total)}}}"
    rule = "softmax" if sink is None else "sink"
    equation = f"{at.cell} = {general} = {own} ="
    return Explanation(rule, "key", lines, float(powers[at.column]) / total, equation, subtracted=top)


def _kept(at: Place) -> Explanation:
    kept = at.number("kept")
    p = number(float(at.trace["dropout"].value))
    return Explanation("kept" if kept else "lost", "", (), kept, f"D_{{{at.index}}} =", rf", \quad p = {p}")


def _dropped(at: Place) -> Explanation:
    p, weight, kept = float(at.trace["dropout"].value), at.number("weights"), at.number("kept")
    result = weight * kept / (1 - p or 1)
    quotient = rf"\frac{{{number(weight)} \cdot {number(kept)}}}{{1 - {number(p)}}}"
    return Explanation("dropped", "", (), result, rf"{at.cell} \leftarrow {quotient} =")


def _joined(at: Place) -> Explanation:
    outputs = at.trace["output"]
    head, feature = divmod(at.column, outputs.value.shape[-1])
    own = Place(at.trace, "output", at.row, feature, at.batch, head)
    result = own.number("output")
    equation = f"O_{{{at.index}}} = (O_{{{head + 1}}})_{{{at.row + 1}{feature + 1}}} ="
    return Explanation("joined", "", (), result, equation)


_RULES: dict[str, Callable[[Place], Explanation]] = {
    "queries": operands.projection("Q"),
    "keys": operands.projection("K"),
    "values": operands.projection("V"),
    "queries_normed": operands.normed,
    "keys_normed": operands.normed,
    "query_angles": operands.angle,
    "key_angles": operands.angle,
    "queries_rotated": operands.rotated,
    "keys_rotated": operands.rotated,
    "keys_joined": operands.appended,
    "values_joined": operands.appended,
    "scores": operands.product("Q", "K", transposed=True),
    "scaled": _scaled,
    "softcapped": _softcapped,
    "bias": _bias,
    "biased": _biased,
    "mask": _mask,
    "masked": _masked,
    "weights": _softmax,
    "kept": _kept,
    "dropped": _dropped,
    "difference": results.difference,
    "output": operands.product("A", "V"),
    "gate": results.gate,
    "gated": results.gated,
    "concat": _joined,
    "projected": operands.product("O", "W_O", "b_O"),
    "queries_unit": states.unit,
    "keys_unit": states.unit,
    "queries_scaled": states.scaled,
    "retained": states.retained,
    "overlaps": states.overlap("K"),
    "readings": states.overlap("Q"),
    "transform": states.transform,
    "writes": states.writes,
    "mixing": operands.product("R", "T"),
    "mixed": operands.product("M", "V"),
    "faded": states.faded,
    "looked_up": operands.product("K", "S"),
    "written": states.written,
    "read": operands.product("Q", "S"),
    "index_products": indexed.product,
    "index_scores": indexed.score,
    "choice": indexed.choice,
}
