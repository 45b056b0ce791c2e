"""The causal masks of PyTorch for fewer queries than keys, aligned at one corner or the other."""

from collections.abc import Callable
from functools import partial
from typing import Any

from torch.nn import functional as F

from attention import checks
from attention.trace import Trace


def _biased(name: str, queries: int, keys: int) -> dict[str, Any]:
    # With its biases torch imports its compiler, which takes as long as torch itself and 66 MB of every process.
    from torch.nn.attention import bias

    return {"attn_mask": getattr(bias, name)(queries, keys)}


TORCH: dict[str, dict[str, Callable[[int, int], dict[str, Any]]]] = {
    "upper_left": {
        "is_causal=True": lambda queries, keys: {"is_causal": True},
        "causal_upper_left": partial(_biased, "causal_upper_left"),
    },
    "lower_right": {"causal_lower_right": partial(_biased, "causal_lower_right")},
}
"""Corner to what PyTorch calls it: numbers of queries and keys to arguments of its fused attention."""


def difference(trace: Trace, corner: str) -> dict[str, float]:
    """PyTorch's name of the mask, and the largest difference between the recorded output and PyTorch's with that mask.

    ValueError: an unknown corner.
    """
    checks.choice("corner", corner, TORCH)
    q, k, v = (trace[name].value.cpu() for name in ("queries", "keys", "values"))
    scale = trace["scale"].value.item() if "scale" in trace else None
    output = trace["output"].value.cpu()
    return {
        name: (F.scaled_dot_product_attention(q, k, v, scale=scale, **given(q.shape[-2], k.shape[-2])) - output)
        .abs()
        .max()
        .item()
        for name, given in TORCH[corner].items()
    }
