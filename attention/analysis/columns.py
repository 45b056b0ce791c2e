"""The column convention: a token is a column of X, and a projection is on the left, Q = W_q X."""

from dataclasses import dataclass, replace

from torch import Tensor

from attention.trace import Step, Trace


@dataclass(frozen=True)
class Columns:
    """The recorded numbers with one token per column: x (..., model, query), w_q (head, feature, model) and
    queries (..., head, feature, query); by: the largest difference of W_q X from queries, the rounding of its dtype."""

    x: Step
    w_q: Step
    queries: Step
    by: float


def as_columns(trace: Trace) -> Columns:
    """X, W_Q and Q transposed, and W_q X (plus its bias) compared with Q."""
    x, w_q, queries = (trace[id] for id in ("x", "w_q", "queries"))
    made: Tensor = w_q.value.mT @ x.value.unsqueeze(-3).mT
    if "b_q" in trace:
        made = made + trace["b_q"].value[..., None]
    return Columns(across(x), across(w_q), across(queries), (made - queries.value.mT).abs().max().item())


def across(step: Step) -> Step:
    """A step with its rows as columns."""
    *lead, rows, columns = step.axes
    return Step(replace(step.quantity, axes=(*lead, columns, rows)), step.value.mT)
