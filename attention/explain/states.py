"""The arithmetic of a state: its decay, the read of a key, the write of a token, and the read of a query."""

from collections.abc import Callable

from attention.explain.explanation import Explanation, Line, dot
from attention.explain.latex import number, products, signed, terms
from attention.explain.place import Place


def unit(at: Place) -> Explanation:
    """A feature over the length of its row."""
    letter = at.step.quantity.letter
    row = at.matrix(at.operand(letter))[at.row]
    length = max(float(row.norm()), 1e-12)
    value, line = float(row[at.column]), f"{letter} {at.row + 1}"
    lines = Line(line, row), Line(f"{line}²", row.square())
    quotient = rf"\frac{{{number(value)}}}{{\sqrt{{{number(float(row.square().sum()))}}}}}"
    return Explanation("unit", "feature", lines, value / length, rf"{at.cell} \leftarrow {quotient} =")


def scaled(at: Place) -> Explanation:
    """A feature of a query over the root of their number, or times the scale."""
    value = at.number(at.operand("Q"))
    if "scale" in at.trace:
        c = float(at.trace["scale"].value)
        result, by = value * c, rf"{number(c)} \cdot {signed(value)}"
    else:
        d_k = at.trace["queries"].value.shape[-1]
        result, by = value / d_k**0.5, rf"\frac{{{number(value)}}}{{\sqrt{{{d_k}}}}}"
    return Explanation("scaled_query", "", (), result, rf"{at.cell} \leftarrow {by} =")


def retained(at: Place) -> Explanation:
    """The product of the decays of the tokens after the earlier one, up to the later one."""
    if at.column > at.row:
        return _later(at)
    decays = at.matrix("decay")[at.column + 1 : at.row + 1]
    factors = r" \cdot ".join(number(float(each)) for each in decays) or "1"
    cell = rf"\Gamma_{{{at.index}}}"
    return Explanation("retained", "", (), float(decays.prod()), f"{cell} = {factors} =")


def overlap(left: str) -> Callable[[Place], Explanation]:
    """The product of an earlier key with a later key or query, times the share kept in between."""

    def explained(at: Place) -> Explanation:
        if at.column > at.row:
            return _later(at)
        first, second = at.operand(left), at.operand("K")
        a, b = at.matrix(first)[at.row], at.matrix(second)[at.column]
        names = f"{left}_{{{at.row + 1}}}", f"K_{{{at.column + 1}}}"
        cell = f"{at.step.quantity.letter}_{{{at.index}}}"
        if "decay" not in at.trace:
            return dot(cell, names, a, b, "feature")
        decays = at.matrix("decay")[at.column + 1 : at.row + 1].prod(0)
        lines: tuple[Line, ...] = Line(f"{left} {at.row + 1}", a), Line(f"K {at.column + 1}", b)
        if decays.ndim:
            lines = *lines, Line("Γ", decays)
            added = a * b * decays
            equation = rf"{cell} = \textstyle\sum_d \Gamma_d Q_d K_d = {terms(added)} =".replace("Q", left)
            return Explanation("overlap", "feature", lines, float(added.sum()), equation)
        kept = float(decays)
        equation = rf"{cell} = \Gamma {names[0]} \cdot {names[1]} = {number(kept)} ({products(a, b)}) ="
        return Explanation("overlap", "feature", lines, kept * float((a * b).sum()), equation)

    return explained


def transform(at: Place) -> Explanation:
    """beta of a token, times (1 on the diagonal, minus what the tokens between have written of the earlier one)."""
    beta = float(at.matrix("beta")[at.row])
    cell = f"T_{{{at.index}}}"
    if at.column > at.row:
        return _later(at)
    if "overlaps" not in at.trace or at.column == at.row:
        value = beta if at.column == at.row else 0.0
        return Explanation("own", "", (), value, f"{cell} =")
    found = at.matrix("overlaps")[at.row, at.column : at.row]
    written = at.matrix("transform")[at.column : at.row, at.column]
    i, j = at.row + 1, at.column + 1
    lines = Line(f"H {i}", found), Line(f"T ·,{j}", written), Line(f"H {i} ⊙ T ·,{j}", found * written)
    general = rf"-\beta_{{{i}}} \textstyle\sum_s H_{{{i}s}} T_{{s{j}}}"
    equation = rf"{cell} = {general} = {number(-beta)} ({products(found, written)}) ="
    return Explanation("taken_off", "query", lines, -beta * float((found * written).sum()), equation)


def writes(at: Place) -> Explanation:
    """All tokens at once: a row of T times a column of V; one token: beta times the difference, or the value."""
    if "transform" in at.trace:
        a, b = at.matrix("transform")[at.row], at.matrix("values")[:, at.column]
        return dot(at.cell, (f"T_{{{at.row + 1}}}", f"V_{{:,{at.column + 1}}}"), a, b, "key")
    beta, value = float(at.matrix("beta")[at.row]), at.number("values")
    if "looked_up" not in at.trace:
        return Explanation("value", "", (), beta * value, rf"{at.cell} = {number(beta)} \cdot {signed(value)} =")
    found = at.number("looked_up")
    equation = rf"{at.cell} = {number(beta)} ({number(value)} - {signed(found)}) ="
    return Explanation("to_write", "", (), beta * (value - found), equation)


def faded(at: Place) -> Explanation:
    """A number of the state times the share that the token leaves of it."""
    decay, before = at.matrix("decay")[0], at.number("past_state")
    alpha = float(decay[at.row] if decay.ndim else decay)
    equation = rf"{at.cell} \leftarrow {number(alpha)} \cdot {signed(before)} ="
    return Explanation("faded", "", (), alpha * before, equation)


def written(at: Place) -> Explanation:
    """A number of the state plus the token's write there: a feature of its key times a number to write."""
    before = at.number(at.operand("S"))
    key, to_write = float(at.matrix(at.operand("K"))[0, at.row]), float(at.matrix("writes")[0, at.column])
    equation = rf"{at.cell} \leftarrow {number(before)} + {signed(key)} \cdot {signed(to_write)} ="
    return Explanation("written", "", (), before + key * to_write, equation)


def _later(at: Place) -> Explanation:
    """A pair above the diagonal is 0, since no token reads a later write."""
    return Explanation("later", "", (), 0.0, f"{at.step.quantity.letter}_{{{at.index}}} =")
