"""The arithmetic of an index that chooses keys: the product of each head, the score, the rank of a key, the mask."""

import math

from attention.explain.explanation import Explanation, Line
from attention.explain.latex import number, products
from attention.explain.place import Place


def product(at: Place) -> Explanation:
    """A row of Q_I times a row of K_I, or 0 where that is negative."""
    a, b = at.matrix("index_queries")[at.row], at.matrix("index_keys")[at.column]
    i, j = at.row + 1, at.column + 1
    names = f"Q_I {i}", f"K_I {j}"
    lines = Line(names[0], a), Line(names[1], b), Line(f"{names[0]} ⊙ {names[1]}", a * b)
    equation = rf"R_{{{at.index}}} = \max(0,\ {products(a, b)}) ="
    return Explanation("rectified", "index_feature", lines, max(0.0, float((a * b).sum())), equation)


def score(at: Place) -> Explanation:
    """The products of all heads of the index, each times its weight, over the root of heads times features."""
    heads, features = at.trace["index_queries"].value.shape[-3], at.trace["index_queries"].value.shape[-1]
    weights = at.trace["index_weights"].of_heads(heads, batch=at.batch)[:, at.row].double().cpu()
    found = at.trace["index_products"].of_heads(heads, batch=at.batch)[:, at.row, at.column].double().cpu()
    lines = Line("w_I", weights), Line("R", found), Line("w_I ⊙ R", weights * found)
    result = float((weights * found).sum()) / math.sqrt(heads * features)
    quotient = rf"\frac{{{products(weights, found)}}}{{\sqrt{{{heads} \cdot {features}}}}}"
    return Explanation("index_score", "index_head", lines, result, rf"I_{{{at.index}}} = {quotient} =")


def choice(at: Place) -> Explanation:
    """Whether a key is among the k of the largest scores that the mask permits."""
    chosen = at.number("choice")
    row = at.matrix("index_scores")[at.row].masked_fill(~at.matrix("permitted")[at.row], -math.inf)
    after = rf", \quad I_{{{at.index}}} = {number(float(row[at.column]))}, \quad k = {int(at.trace['keep'].value)}"
    rule = "chosen" if chosen else "not_chosen"
    return Explanation(rule, "key", (Line("I", row),), chosen, f"C_{{{at.index}}} =", after)


def mask(at: Place) -> Explanation:
    """A pair is visible if both the choice and the mask permit it."""
    chosen, permitted = at.number("choice"), at.number("permitted")
    rule = "not_permitted" if not permitted else "both" if chosen else "not_chosen"
    equation = rf"M_{{{at.index}}} = C_{{{at.index}}} \cdot P_{{{at.index}}} = {chosen:.0f} \cdot {permitted:.0f} ="
    return Explanation(rule, "", (), chosen * permitted, equation)
