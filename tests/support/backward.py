"""The gradient of a step by torch alone, which runs the recorded lines of Python after that step as text."""

import math

import torch
from torch import Tensor

from attention import MultiHeadAttention, Trace, grid
from attention.positions import frequencies, slopes
from tests.support import drawn, seeded

# Variants of later models: arguments of the layer, and of its call. Sizes are pairwise distinct.
VARIANTS: dict[str, tuple[dict, dict]] = {
    "norm": ({"qk_norm": True}, {}),
    "cap": ({}, {"softcap": 2.0}),
    "slopes": ({"kv_heads": 2}, {"slopes": slopes(6)}),
    "sink": ({"sink": True}, {"scale": 0.3}),
    "some turn": ({}, {"rotary": frequencies(6)}),
    "neighbours turn": ({}, {"rotary": frequencies(4), "interleaved": True}),
    "gate": ({"gate": "features", "kv_heads": 2}, {}),
    "gate of heads": ({"gate": "head"}, {"softcap": 2.0}),
    "all": (
        {"qk_norm": True, "sink": True, "kv_heads": 2, "bias": True, "dropout": 0.4},
        {"softcap": 2.0, "slopes": slopes(6), "rotary": frequencies(10), "interleaved": True},
    ),
}


def of_variant(name: str) -> tuple[Trace, MultiHeadAttention]:
    """The record and the layer of a variant under a causal mask; the second query sees no key."""
    of_layer, of_call = VARIANTS[name]
    module = MultiHeadAttention(11, 6, d_k=10, d_v=13, d_out=17, generator=seeded(1), **of_layer).double()
    for gain in filter(lambda each: each is not None, (module.g_q, module.g_k, module.sink)):
        gain.data += drawn(gain.shape, seed=4)[0]
    trace, may = Trace(), grid("causal", 5, 5)
    may[1] = False
    module(drawn((2, 5, 11))[0], trace=trace, generator=seeded(2), mask=may, **of_call)
    return trace, module


def by_lines(trace: Trace, id: str, upstream: Tensor) -> Tensor:
    """The gradient of sum(last step * upstream) with respect to the recorded value of a step."""
    namespace = {"math": math, "torch": torch}
    leaf, result = trace[id].value.clone().requires_grad_(True), None
    passed = False
    for step in trace.values():
        name = step.quantity.letter
        if step.id == id:
            namespace[name], passed = leaf, True
        elif step.quantity.given or not passed:
            namespace[name] = step.value
        else:
            exec(step.quantity.code, namespace)
        result = namespace[name]
    (gradient,) = torch.autograd.grad(result, leaf, upstream)
    return gradient
