"""Scaled dot-product attention: the one implementation (Vaswani et al. 2017, equation 1, with mask and dropout)."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from attention import checks
from attention import notation as n
from attention.positions import rotate
from attention.trace import Quantity, Trace

Recorder = Callable[[Quantity, Tensor], Tensor]
Variant = Callable[[Quantity], Quantity]


def recorder(trace: Trace | None) -> Recorder:
    """`t(ROW, tensor)` keeps the tensor in the trace, if there is one, and hands it back."""
    return (lambda _, value: value) if trace is None else trace.record


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    rotary: Tensor | None = None,
    interleaved: bool = False,
    positions: Tensor | None = None,
    key_positions: Tensor | None = None,
    enable_gqa: bool = False,
    mask: Tensor | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
    generator: Generator | None = None,
    trace: Trace | None = None,
) -> Tensor:
    """softmax(Q K^T / sqrt(d_k)) V, every step recorded in `trace`; returns (..., L, d_v), with gradients.

    query (..., L, d_k), key (..., S, d_k), value (..., S, d_v): one dtype (float64, float32, bfloat16 or float16),
    one device; leading axes broadcast as in torch. Scores are computed in that dtype before they are scaled.
    rotary: the angle (d_k / 2,) by which each pair of features of queries and keys turns from a position to the next,
    as `positions.frequencies` has them (Su et al. 2021); interleaved: pairs are neighbours, not d_k / 2 apart.
    positions (L,), key_positions (S,): None counts from 0. Angles are float32, of float64 queries float64.
    enable_gqa: key and value have fewer heads (..., H_kv, S, d) than query (..., H, L, d_k), and g = H / H_kv query
    heads in succession read the same one (Ainslie et al. 2023, section 2.2).
    mask: bool, True = may attend, or float, added to the scaled scores; broadcasts to (..., L, S). A query that may
    attend to nothing has zero weights and a zero output, with finite gradients; a NaN that a query may see stays NaN.
    scale: a number; None is 1/sqrt(d_k).
    dropout: the probability p in [0, 1] that a weight is dropped; kept ones are multiplied by 1/(1-p)
    (Srivastava et al. 2014, inverted). `generator` draws the keep-mask, on its own device.
    ValueError: an argument that does not fit, named with both numbers.
    """
    checks.attention_inputs(query, key, value, grouped=enable_gqa)
    checks.probability("dropout", dropout)
    if scale is not None:
        checks.finite("scale", scale)
    if mask is not None:
        checks.mask_for(mask, query, key, grouped=enable_gqa)
    t = recorder(trace)
    group = query.shape[-3] // key.shape[-3] if enable_gqa else 1
    of = n.grouped if group > 1 else n.as_it_is
    Q, K, V = _givens(query, key, value, trace, of)
    if rotary is not None:
        Q, K = _rotated(Q, K, rotary, interleaved, positions, key_positions, t, of)
    S = t(of(n.SCORES), Q @ _repeated(K, group).mT)
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
    return t(of(n.OUTPUT), A @ _repeated(V, group))


def _rotated(
    Q: Tensor,
    K: Tensor,
    rotary: Tensor,
    interleaved: bool,
    positions: Tensor | None,
    key_positions: Tensor | None,
    t: Recorder,
    of: Variant,
) -> tuple[Tensor, Tensor]:
    queries, keys = Q.shape[-2], K.shape[-2]
    checks.rotary(rotary, Q, {"positions": (positions, queries), "key_positions": (key_positions, keys)})
    exact = torch.float64 if Q.dtype == torch.float64 else torch.float32
    p_Q, p_K = (
        (torch.arange(count) if given is None else given).to(Q.device, exact)
        for given, count in ((positions, queries), (key_positions, keys))
    )
    theta = t(n.FREQUENCIES, rotary.to(Q.device, exact))
    t(n.QUERY_POSITIONS, p_Q)
    t(n.KEY_POSITIONS, p_K)
    Phi_Q = t(n.QUERY_ANGLES, p_Q[:, None] * theta)
    Phi_K = t(n.KEY_ANGLES, p_K[:, None] * theta)
    as_pairs = n.interleaved if interleaved else n.as_it_is
    Q = t(as_pairs(n.QUERIES_ROTATED), rotate(Q, Phi_Q, interleaved=interleaved))
    K = t(as_pairs(of(n.KEYS_ROTATED)), rotate(K, Phi_K, interleaved=interleaved))
    return Q, K


def _repeated(heads: Tensor, group: int) -> Tensor:
    """Each key or value head once for each of the query heads that read it."""
    return heads if group == 1 else heads.repeat_interleave(group, -3)


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


def _givens(
    query: Tensor, key: Tensor, value: Tensor, trace: Trace | None, of: Variant
) -> tuple[Tensor, Tensor, Tensor]:
    """Record Q, K and V as givens, unless a module has recorded how it made them."""
    if trace is not None and "queries" not in trace:
        trace.record(n.GIVEN_QUERIES, query)
        trace.record(of(n.GIVEN_KEYS), key)
        trace.record(of(n.GIVEN_VALUES), value)
    return query, key, value
