"""The conformance vectors of the ONNX operator `Attention` (opsets 23 to 25), as the onnx package ships them.

What the operator has beyond one call - heads side by side, padding, windows, a causal corner - becomes a mask here.
"""

import math
from functools import cache

import numpy as np
import onnx
import torch
from onnx.backend.test.case import node as cases

from attention import Trace, scaled_dot_product_attention
from attention.cache import Cache

# By `qk_matmul_output_mode`: the step, and before it the one that takes its place in a run without it.
MODES = (("scaled",), ("softcapped", "scaled"), ("masked", "softcapped", "scaled"), ("weights",))


@cache
def vectors() -> list:
    """All cases of the operator. On import, its module draws them from the shared generator, which is restored."""
    kept = np.random.get_state()
    try:
        from onnx.backend.test.case.node import attention  # noqa: F401
    finally:
        np.random.set_state(kept)
    return [case for case in cases._NodeTestCases if case.model.graph.node[0].op_type == "Attention"]


def as_tensor(array: np.ndarray) -> torch.Tensor:
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.astype(np.float32)).bfloat16()
    return torch.from_numpy(np.ascontiguousarray(array))


def split(x: torch.Tensor, heads: int) -> torch.Tensor:
    """(batch, n, heads * d) to (batch, heads, n, d)."""
    return x if x.ndim == 4 else x.unflatten(-1, (heads, -1)).transpose(1, 2)


def mask_of(given: dict[str, torch.Tensor], chosen: dict, queries: int, keys: int) -> torch.Tensor | None:
    """One mask, boolean or added, for all that hides a key from a query."""
    mask, valid = given.get("attn_mask"), given.get("nonpad_kv_seqlen")
    left, right = (chosen.get(f"{side}_window_size", -1) for side in ("left", "right"))
    offset = torch.zeros(1, dtype=torch.int64)
    if "past_key" in given:
        offset = torch.tensor([given["past_key"].shape[2]])
    elif valid is not None:
        offset = valid - queries
    i, j = torch.arange(queries)[:, None] + offset[:, None, None, None], torch.arange(keys)
    allowed = torch.ones(1, 1, queries, keys, dtype=torch.bool)
    if valid is not None:
        allowed = allowed & (j < valid[:, None, None, None])
    if chosen.get("is_causal"):
        allowed = allowed & (j <= i)
    if left >= 0:
        allowed = allowed & (i - left <= j)
    if right >= 0:
        allowed = allowed & (j <= i + right)
    if mask is None:
        return None if bool(allowed.all()) else allowed
    hides = False if mask.dtype == torch.bool else -math.inf
    mask = torch.nn.functional.pad(mask, (0, keys - mask.shape[-1]), value=hides)
    return allowed & mask if mask.dtype == torch.bool else mask.masked_fill(~allowed, -math.inf)


def computed(case) -> dict[str, torch.Tensor]:
    """The results of the package, by the operator's names."""
    (node,) = case.model.graph.node
    chosen = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
    names = [name for name in node.input if name]
    given = {name: as_tensor(array) for name, array in zip(names, case.data_sets[0][0], strict=True)}
    positional = {place: given[name] for place, name in zip(("Q", "K", "V", *ORDER), node.input, strict=False) if name}
    Q, K, V = (
        split(positional[name], chosen.get(f"{'q' if name == 'Q' else 'kv'}_num_heads", 0)) for name in ("Q", "K", "V")
    )
    past = Cache(positional["past_key"], positional["past_value"]) if "past_key" in positional else Cache()
    trace = Trace()
    Y = scaled_dot_product_attention(
        Q,
        K,
        V,
        enable_gqa=True,
        past=past,
        scale=chosen.get("scale"),
        softcap=chosen.get("softcap") or None,
        mask=mask_of(positional, chosen, Q.shape[2], len(past) + K.shape[2]),
        trace=trace,
    )
    shown = next(id for id in MODES[chosen.get("qk_matmul_output_mode", 0)] if id in trace)
    Y = Y if positional["Q"].ndim == 4 else Y.transpose(1, 2).flatten(2)
    answers = (Y, past.keys, past.values, trace[shown].value)
    return {name: answer for name, answer in zip(node.output, answers, strict=False) if name}


ORDER = ("attn_mask", "past_key", "past_value", "nonpad_kv_seqlen")


def test_all_of_them_are_there():
    assert onnx.__version__ == "1.23.2"
    assert len(vectors()) == 93


def near(dtype: torch.dtype) -> float:
    """The tolerance: short formats round differently if the same products are added in another order."""
    return {torch.float16: 2e-3, torch.bfloat16: 2e-2}.get(dtype, 1e-5)


def test_every_vector_is_answered():
    wrong = []
    for case in vectors():
        for (name, answer), expected in zip(computed(case).items(), case.data_sets[0][1], strict=True):
            wanted = as_tensor(expected)
            close = {"rtol": near(wanted.dtype), "atol": near(wanted.dtype)}
            if answer.dtype != wanted.dtype or answer.shape != wanted.shape or not answer.allclose(wanted, **close):
                wrong.append(f"{case.name}: {name}")
    assert wrong == []
