"""Two heads of a record as the two maps of differential attention."""

import torch

from attention import checks
from attention.analysis.rerun import variant
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace


def head_pair(trace: Trace, first: int, second: int, difference: float, *, batch: int = 0) -> Trace:
    """Differential attention of one sentence by two heads (from 0) of a record, without dropout and cache: `difference`
    times the weights of the second head is subtracted from those of the first (Ye et al. 2024, equation 1).

    Queries and keys are those of the two heads, values those of the first. ValueError: the same head twice, or a head
    that the record does not have.
    """
    heads = trace.sizes.get("head", 1)
    for name, head in {"first": first, "second": second}.items():
        checks.between(name, head, 0, heads - 1)
    if first == second:
        raise ValueError(f"first and second are the same head, {first}: a difference takes two")

    def both(id: str) -> torch.Tensor:
        return torch.stack([trace[id].of(batch=batch, head=head) for head in (first, second)])

    own = {id: both(id) for id in ("slopes", "sink") if id in trace}
    chosen = {**variant(trace), **own, "enable_gqa": False, "past": None, "gate": None}
    made = trace.empty()
    scaled_dot_product_attention(
        both("queries"),
        both("keys"),
        trace["values"].of(batch=batch, head=first)[None],
        **chosen | {"difference": torch.tensor(difference, dtype=torch.float64)},
        mask=both("mask") if "mask" in trace else None,
        scale=trace["scale"].value.item() if "scale" in trace else None,
        trace=made,
    )
    return made
