"""Attention of one query vector over tokens, without projections; and queries of a module one at a time."""

import math

import torch
from torch import Tensor

from attention.functional import scaled_dot_product_attention
from attention.modules import MultiHeadAttention
from attention.trace import Trace

_COMPARED = ("queries", "scores", "scaled", "weights", "output")


def polar(angle: float | Tensor, length: float | Tensor) -> Tensor:
    """Vectors (..., 2) in float64 from angle (degrees, from the first axis towards the second) and length."""
    angle, length = (torch.as_tensor(number, dtype=torch.float64) for number in (angle, length))
    turned = angle.deg2rad()
    return torch.stack((length * turned.cos(), length * turned.sin()), -1)


def asked(q: Tensor, x: Tensor, *, temperature: float | None = None) -> Trace:
    """The record of att(X, q) = softmax(q X^T / sqrt(D)) X for q (queries, D) and x (tokens, D).

    This is attention whose keys and values are both X. temperature: divide the scaled scores by it as well.
    """
    trace = Trace()
    scale = None if temperature is None else 1 / (temperature * math.sqrt(x.shape[-1]))
    scaled_dot_product_attention(q, x, x, scale=scale, trace=trace)
    return trace


def alone(module: MultiHeadAttention, x: Tensor, query: int) -> Trace:
    """The record of one token of x (batch, n, d_model) as the only query, with all tokens as keys."""
    trace = Trace()
    with torch.inference_mode():
        module(x[:, query : query + 1], x, trace=trace)
    return trace


def together(module: MultiHeadAttention, x: Tensor) -> Trace:
    """The record of all tokens of x (batch, n, d_model) as queries at once."""
    trace = Trace()
    with torch.inference_mode():
        module(x, trace=trace)
    return trace


def differences(module: MultiHeadAttention, x: Tensor) -> dict[str, Tensor]:
    """The largest difference between each query asked alone and its row among all queries: step id to (n,)."""
    whole, single = together(module, x), [alone(module, x, query) for query in range(x.shape[-2])]
    return {
        id: torch.stack(
            [
                (trace[id].value - whole[id].value[..., query : query + 1, :]).abs().amax()
                for query, trace in enumerate(single)
            ]
        )
        for id in _COMPARED
    }
