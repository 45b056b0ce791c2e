"""Scaled dot-product attention: the one implementation (Vaswani et al. 2017, equation 1, with mask and dropout)."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from attention import checks
from attention import notation as n
from attention.trace import Quantity, Trace

Recorder = Callable[[Quantity, Tensor], Tensor]


def recorder(trace: Trace | None) -> Recorder:
    """`t(ROW, tensor)` keeps the tensor in the trace, if there is one, and hands it back."""
    return (lambda _, value: value) if trace is None else trace.record


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    mask: Tensor | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
    generator: Generator | None = None,
    trace: Trace | None = None,
) -> Tensor:
    """softmax(Q K^T / sqrt(d_k)) V, every step recorded in `trace`; returns (..., L, d_v), with gradients.

    query (..., L, d_k), key (..., S, d_k), value (..., S, d_v): one dtype (float64, float32, bfloat16 or float16),
    one device; leading axes broadcast as in torch. Scores are computed in that dtype before they are scaled.
    mask: bool, True = may attend, or float, added to the scaled scores; broadcasts to (..., L, S). A query that may
    attend to nothing has zero weights and a zero output, with finite gradients; a NaN that a query may see stays NaN.
    scale: a number; None is 1/sqrt(d_k).
    dropout: the probability p in [0, 1] that a weight is dropped; kept ones are multiplied by 1/(1-p)
    (Srivastava et al. 2014, inverted). `generator` draws the keep-mask, on its own device.
    ValueError: an argument that does not fit, named with both numbers.
    """
    checks.attention_inputs(query, key, value)
    checks.probability("dropout", dropout)
    if scale is not None:
        checks.finite("scale", scale)
    if mask is not None:
        checks.mask_for(mask, query, key)
    t = recorder(trace)
    Q, K, V = _givens(query, key, value, trace)
    S = t(n.SCORES, Q @ K.mT)
    if scale is None:
        S = t(n.SCALED, S / math.sqrt(Q.shape[-1]))
    else:
        t(n.SCALE, torch.tensor(scale, dtype=torch.float64))
        S = t(n.SCALED_BY, S * scale)
    A = _weights(S, mask, t)
    if dropout > 0:
        t(n.DROPOUT, torch.tensor(dropout, dtype=torch.float64))
        D = t(n.KEPT, _keep(A, dropout, generator))
        A = t(n.DROPPED, A * D / (1 - dropout or 1))
    return t(n.OUTPUT, A @ V)


def _weights(S: Tensor, mask: Tensor | None, t: Recorder) -> Tensor:
    if mask is None:
        return t(n.WEIGHTS, S.softmax(-1))
    if mask.dtype == torch.bool:
        M = t(n.MASK, mask.expand(S.shape))
        S = t(n.MASKED, S.masked_fill(~M, -math.inf))
        E = ~M.any(-1, keepdim=True)
        row = n.WEIGHTS_MASKED
    else:
        M = t(n.ADDED_MASK, mask.to(S.dtype).expand(S.shape))
        S = t(n.ADDED, S + M)
        E = (M == -math.inf).all(-1, keepdim=True)
        row = n.WEIGHTS_ADDED
    # Read off the mask and not off the NaN that a softmax of nothing gives: a NaN in the data must stay visible,
    # and the gradient of an all -inf row would be NaN.
    return t(row, S.masked_fill(E, 0).softmax(-1).masked_fill(E, 0))


def _keep(A: Tensor, dropout: float, generator: Generator | None) -> Tensor:
    device = A.device if generator is None else generator.device
    return (torch.rand(A.shape, generator=generator, device=device) >= dropout).to(A.device)


def _givens(query: Tensor, key: Tensor, value: Tensor, trace: Trace | None) -> tuple[Tensor, Tensor, Tensor]:
    """Record Q, K and V as givens, unless a module has recorded how it made them."""
    if trace is not None and "queries" not in trace:
        trace.record(n.GIVEN_QUERIES, query)
        trace.record(n.GIVEN_KEYS, key)
        trace.record(n.GIVEN_VALUES, value)
    return query, key, value
