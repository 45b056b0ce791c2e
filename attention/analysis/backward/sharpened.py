"""The gradients of one output as its scores grow, until softmax is saturated and passes none."""

from collections.abc import Sequence
from dataclasses import dataclass

from attention import checks
from attention.analysis.backward.backward import backward
from attention.analysis.backward.targets import Cell
from attention.analysis.rerun import variant
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace


@dataclass(frozen=True)
class Sharpened:
    """The scores of a run times a factor: the largest weight of the query, and the norms of the gradients of its scaled
    scores, of the query, of all keys and of all values."""

    factor: float
    largest: float
    scores: float
    queries: float
    keys: float
    values: float


def sharpened(
    trace: Trace, query: int, feature: int, factors: Sequence[float], *, batch: int = 0, head: int = 0
) -> tuple[Sharpened, ...]:
    """Differentiate one number of the output of a head with its scores times each factor, without dropout and a past.

    query, feature: row and column of the output, from 0. The gradient of the scores is A * (dA - rowsum(dA * A)), which
    vanishes with A * (1 - A); that of the values is A^T dO, which without a sink no factor can make smaller
    than |dO| / sqrt(keys).
    ValueError: a factor that is not above 0, a cell outside of the output.
    """
    Q, K, V = (trace[id].of(batch=batch, head=head) for id in ("queries", "keys", "values"))
    # The record of one head, whose slope and sink are numbers.
    own = {id: trace[id].of(head=head) for id in ("slopes", "sink") if id in trace}
    chosen = {**variant(trace), **own, "enable_gqa": False, "past": None}
    mask = trace["mask"].of(batch=batch, head=head) if "mask" in trace else None
    scale = float(trace["scale"].value) if "scale" in trace else Q.shape[-1] ** -0.5
    found = []
    for factor in factors:
        checks.above_zero("factor", factor)
        record = Trace()
        scaled_dot_product_attention(Q, K, V, **chosen, mask=mask, scale=scale * factor, trace=record)
        made = backward(record, Cell("output", query, feature))
        norms = {id: made.gradients[id].value.norm().item() for id in ("scaled", "queries", "keys", "values")}
        largest = record["weights"].value[query].max().item()
        found.append(Sharpened(factor, largest, norms["scaled"], norms["queries"], norms["keys"], norms["values"]))
    return tuple(found)
