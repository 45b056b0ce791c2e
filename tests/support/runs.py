"""Every kind of run that the package knows, for the tests that must hold in all of them."""

from typing import NamedTuple

import torch

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.cache import Cache
from attention.masks import grid, padding
from attention.modules import GATES
from attention.positions import frequencies, slopes
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
    heads: str = "own"
    norm: str = "no"
    softcap: float | None = None
    slopes: bool = False
    sink: bool = False
    gate: str = "no"
    # "no", or a lambda for each pair of heads or for each query; sinks are then for each query.
    difference: str = "no"
    by_query: bool = False

    @property
    def shared(self):
        return self.heads.startswith("shared")

    @property
    def cached(self):
        return self.heads.endswith("cached") and self.kind != "cross"

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
        ("own", "shared", "own, cached", "shared, cached"),
        ("no", "plain", "gained"),
        (None, 1.7),
        (False, True),
        (False, True),
        exhaustively=3,
    )
]
# Combinations that the cases above exclude: a context without a cache, and a module without normalisation or gain.
RUNS += [
    Run("function", False, "no", None, 0.0, True, rotary, heads, norm)
    for heads in ("own", "shared", "own, cached", "shared, cached")
    for rotary, norm in (("half-split", "plain"), ("interleaved", "gained"))
]
# Runs in which only some features turn.
RUNS += [
    Run("function", False, "no", None, 0.0, True, f"partial {rotary}", heads)
    for heads in ("own", "shared", "own, cached", "shared, cached")
    for rotary in ("half-split", "interleaved")
]
# Runs with a gate from a layer or a given one, a difference of heads, or a sink for each query.
RUNS += [Run(kind, False, "no", None, 0.0, True, gate=gate) for kind in ("self", "cross") for gate in GATES]
RUNS += [
    Run("function", False, "no", None, dropout, batched, heads=heads, gate=gate, difference=difference)
    for heads, gate, difference, dropout, batched in (
        ("own", "features", "no", 0.0, True),
        ("shared", "head", "no", 0.5, False),
        ("own", "no", "heads", 0.5, True),
        ("own", "head", "queries", 0.0, False),
        ("shared", "features", "heads", 0.0, True),
        ("own, cached", "features", "queries", 0.0, True),
        ("shared, cached", "head", "heads", 0.0, True),
    )
]
RUNS += [Run("function", False, mask, None, 0.0, True, sink=True, by_query=True) for mask in ("no", "bool", "float")]
# Features turn in pairs, hence EVEN. Heads that share keys form several groups; with one, a wrong order would not show.
EVEN, MANY, PAST, TURNING = 22, 2 * HEADS, 29, 14


def traced(run: Run, dtype: torch.dtype = torch.float64) -> Trace:
    """The record of a run; its first query may attend to nothing where there is a mask."""
    trace = Trace()
    keys = (QUERIES if run.kind == "self" else KEYS) + PAST * run.cached
    paired = run.difference != "no"
    heads = (2 if paired else 1) * (MANY if run.shared else HEADS)
    # The first query sees no key, and the second sentence has padding.
    lengths = [keys, 3] if run.batched else [4]
    mask = grid("causal", QUERIES, keys) & padding(lengths, keys)
    mask[..., 0, :] = False
    if not run.batched:
        mask = mask[0]
    d_k = D_K if run.rotary == "no" else EVEN
    arguments = {
        "rotary": None if run.rotary == "no" else frequencies(TURNING if run.rotary.startswith("partial") else d_k),
        "interleaved": run.rotary.endswith("interleaved"),
        "softcap": run.softcap,
        "slopes": slopes(heads) if run.slopes else None,
        "mask": {"no": None, "bool": mask, "float": as_float(mask, dtype)}[run.mask],
        "scale": run.scale,
        "generator": seeded(),
        "trace": trace,
    }
    lead = (BATCH,) if run.batched else ()
    # Without shared keys, each head of a pair has its own keys, and each pair its own values.
    of_keys = heads if paired and not run.shared else HEADS
    if run.cached:
        arguments["past"] = Cache(*drawn((*lead, of_keys, PAST, d_k), (*lead, HEADS, PAST, D_V), dtype=dtype, seed=3))
    (sink,) = drawn((*lead, heads, QUERIES) if run.by_query else (heads,), dtype=dtype, seed=4)
    gains = drawn((d_k,), (d_k,), dtype=dtype, seed=5)
    if run.kind == "function":
        q, k, v = drawn(
            (*lead, heads, QUERIES, d_k), (*lead, of_keys, KEYS, d_k), (*lead, HEADS, KEYS, D_V), dtype=dtype
        )
        outputs = (*lead, heads // 2 if paired else heads, QUERIES)
        gate, lambdas = drawn(
            (*outputs, D_V) if run.gate == "features" else outputs,
            outputs if run.difference == "queries" else outputs[-2:-1],
            dtype=dtype,
            seed=6,
        )
        norm = {"no": False, "plain": True, "gained": (gains[0], gains[1])}[run.norm]
        chosen = {"qk_norm": norm, "sink": sink if run.sink else None, "enable_gqa": run.shared}
        chosen |= {"gate": None if run.gate == "no" else gate, "difference": lambdas if paired else None}
        scaled_dot_product_attention(q, k, v, dropout=run.dropout, **chosen, **arguments)
        return trace
    x, context = drawn((*lead, QUERIES, 17), (*lead, KEYS, 19), dtype=dtype)
    cross = run.kind == "cross"
    layer = MultiHeadAttention(
        17,
        heads,
        kv_heads=HEADS,
        d_k=d_k,
        d_v=D_V,
        d_context=19 if cross else None,
        d_out=23,
        bias=run.bias,
        qk_norm=run.norm != "no",
        sink=run.sink,
        gate=None if run.gate == "no" else run.gate,
        dropout=run.dropout,
        generator=seeded(1),
    ).to(dtype)
    with torch.no_grad():
        if layer.g_q is not None:
            layer.g_q.copy_(gains[0])
            layer.g_k.copy_(gains[1])
        if layer.sink is not None:
            layer.sink.copy_(sink)
    layer(x, context if cross else None, **arguments)
    return trace
