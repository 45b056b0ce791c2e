"""One query and one key through all steps: score, scaled score, weight, weight after dropout, times the value."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.explain.latex import MOST, number, products, signed
from attention.trace import Trace


@dataclass(frozen=True)
class Link:
    """A step of the chain: its recorded number and its arithmetic, in LaTeX; left: the number of products of a score
    that the arithmetic leaves out."""

    id: str
    value: float
    latex: str
    left: int = 0


def chain(trace: Trace, query: int, key: int, *, batch: int = 0, head: int = 0) -> tuple[Link, ...]:
    """The numbers of a pair, counted from 0, in the order of their steps; steps that the record lacks are left out, and
    so is a mask that leaves the score unchanged. ValueError: a pair outside the weights."""
    found: list[Link] = []
    for id, told in _TOLD.items():
        if id not in trace:
            continue
        explained = cell(trace, id, query, key, batch=batch, head=head)
        before = found[-1].value if found else math.nan
        if id != "masked" or explained.result != before:
            left = _left_out(explained) if id == "scores" else 0
            found.append(Link(id, explained.result, told(trace, before, explained), left))
    return tuple(found)


def _counting(told: Explanation) -> tuple[Tensor, Tensor]:
    """The features of query and key with a product other than zero; the others are not worth showing."""
    q, k = (line.values for line in told.lines[:2])
    counts = (q * k) != 0
    return q[counts], k[counts]


def _left_out(told: Explanation) -> int:
    count = len(_counting(told)[0])
    return count - (MOST - 1) if count > MOST else 0


def _score(trace: Trace, before: float, told: Explanation) -> str:
    q, k = _counting(told)
    terms = f"{products(q, k)} = " if len(q) else ""
    return rf"q \cdot k = {terms}{number(told.result)}"


def _scaled(trace: Trace, before: float, told: Explanation) -> str:
    if "scale" in trace:
        by = rf"\cdot {signed(float(trace['scale'].value))}"
    else:
        by = rf"/ {number(math.sqrt(trace['queries'].value.shape[-1]))}"
    return rf"\rightarrow\; {number(before)} {by} = {number(told.result)}"


def _softcapped(trace: Trace, before: float, told: Explanation) -> str:
    cap = number(float(trace["softcap"].value))
    return rf"\rightarrow\; {cap}\, \tanh({number(before)} / {cap}) = {number(told.result)}"


def _biased(trace: Trace, before: float, told: Explanation) -> str:
    return rf"\rightarrow\; {number(before)} + B = {number(told.result)}"


def _masked(trace: Trace, before: float, told: Explanation) -> str:
    return rf"\rightarrow\; {number(before)} + M = {number(told.result)}"


def _weight(trace: Trace, before: float, told: Explanation) -> str:
    also = " + e^{z})" if told.rule == "sink" else ""
    total = rf"{'(' if also else ''}\textstyle\sum e^{{S}}{also}"
    share = "" if told.rule == "empty" else rf"e^{{{number(before)}}} / {total} = "
    return rf"\rightarrow\; {share}{number(told.result)}"


def _dropped(trace: Trace, before: float, told: Explanation) -> str:
    if before == 0:
        # A weight of zero stays zero, dropped or not.
        return rf"\rightarrow\; {number(told.result)}"
    kept, p = int(told.result != 0), number(float(trace["dropout"].value))
    return rf"\rightarrow\; {number(before)} \cdot {kept} / (1 - {p}) = {number(told.result)}"


_TOLD: dict[str, Callable[[Trace, float, Explanation], str]] = {
    "scores": _score,
    "scaled": _scaled,
    "softcapped": _softcapped,
    "biased": _biased,
    "masked": _masked,
    "weights": _weight,
    "dropped": _dropped,
}
