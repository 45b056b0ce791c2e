"""Every kind of run that the package knows, for the tests that must hold in all of them."""

from typing import NamedTuple

import torch

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.masks import grid, padding
from attention.positions import frequencies
from tests.support import BATCH, D_K, D_V, HEADS, KEYS, QUERIES, as_float, drawn, seeded
from tests.support.covering import cases


class Run(NamedTuple):
    kind: str
    bias: bool
    mask: str
    scale: float | None
    dropout: float
    batched: bool
    rotary: str = "no"
    shared: bool = False

    def __str__(self):
        return "-".join(map(str, self))


# The function alone has no bias.
RUNS = [
    Run(*kind, *rest)
    for kind, *rest in cases(
        (("self", False), ("self", True), ("cross", False), ("cross", True), ("function", False)),
        ("no", "bool", "float"),
        (None, 0.3),
        (0.0, 0.5, 1.0),
        (True, False),
        ("no", "half-split", "interleaved"),
        (False, True),
    )
]
# Features turn in pairs, and of heads that share keys there are several groups, or a wrong order could not be told.
EVEN, MANY = 22, 2 * HEADS


def traced(run: Run, dtype: torch.dtype = torch.float64) -> Trace:
    """The record of a run; its first query may attend to nothing where there is a mask."""
    trace = Trace()
    keys = QUERIES if run.kind == "self" else KEYS
    # The first query may attend to nothing, and the second sentence has padding.
    lengths = [keys, 3] if run.batched else [4]
    mask = grid("causal", QUERIES, keys) & padding(lengths, keys)
    mask[..., 0, :] = False
    if not run.batched:
        mask = mask[0]
    d_k = D_K if run.rotary == "no" else EVEN
    arguments = {
        "rotary": None if run.rotary == "no" else frequencies(d_k),
        "interleaved": run.rotary == "interleaved",
        "mask": {"no": None, "bool": mask, "float": as_float(mask, dtype)}[run.mask],
        "scale": run.scale,
        "generator": seeded(),
        "trace": trace,
    }
    if run.kind == "function":
        heads = MANY if run.shared else HEADS
        shapes = (BATCH, heads, QUERIES, d_k), (BATCH, HEADS, KEYS, d_k), (BATCH, HEADS, KEYS, D_V)
        q, k, v = (tensor if run.batched else tensor[0] for tensor in drawn(*shapes, dtype=dtype))
        scaled_dot_product_attention(q, k, v, dropout=run.dropout, enable_gqa=run.shared, **arguments)
        return trace
    lead = (BATCH,) if run.batched else ()
    x, context = drawn((*lead, QUERIES, 17), (*lead, KEYS, 19), dtype=dtype)
    cross = run.kind == "cross"
    layer = MultiHeadAttention(
        17,
        MANY if run.shared else HEADS,
        kv_heads=HEADS,
        d_k=d_k,
        d_v=D_V,
        d_context=19 if cross else None,
        d_out=23,
        bias=run.bias,
        dropout=run.dropout,
        generator=seeded(1),
    ).to(dtype)
    layer(x, context if cross else None, **arguments)
    return trace
