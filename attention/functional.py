"""Scaled dot-product attention: the one implementation (Vaswani et al. 2017, equation 1, with mask and dropout)."""

import math

import torch
from torch import Generator, Tensor

from attention import checks, tensor_checks
from attention import notation as n
from attention.arguments import as_tensor, one_dropout, one_mask
from attention.cache import Cache
from attention.masks import Mask
from attention.operands import joined, normed, placed, repeated, rotated, variants
from attention.results import check, gated, taken_off
from attention.trace import Recorder, Trace, recorder


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    qk_norm: bool | tuple[Tensor, Tensor] = False,
    rotary: Tensor | None = None,
    interleaved: bool = False,
    positions: Tensor | None = None,
    key_positions: Tensor | None = None,
    enable_gqa: bool = False,
    past: Cache | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    slopes: Tensor | None = None,
    mask: Tensor | Mask | str | None = None,
    sink: Tensor | None = None,
    dropout: float = 0.0,
    difference: Tensor | None = None,
    gate: Tensor | None = None,
    generator: Generator | None = None,
    trace: Trace | None = None,
) -> Tensor:
    """softmax(Q K^T / sqrt(d_k)) V, every step recorded in `trace`; returns (..., L, d_v), with gradients.

    query (..., L, d_k), key (..., S, d_k), value (..., S, d_v): one dtype (float64, float32, bfloat16 or float16),
    one device; leading axes broadcast as in torch. Scores are computed in that dtype before they are scaled.
    In the order in which they act:
    qk_norm: divide each query and key by the root of the mean square of its features (Henry et al. 2020; Dehghani et
    al. 2023), and multiply by the gains (d_k,) of queries and keys where they are given.
    rotary: the angle (d_r / 2,) by which each pair of features of queries and keys turns from one position to the next,
    as from `positions.frequencies(d_r)` (Su et al. 2021): the first d_r of d_k features turn, as a rule all of them;
    interleaved: pairs are neighbours, not d_r / 2 apart.
    positions (L,) of the queries, key_positions (S,) of all keys, for rotary and slopes: None counts keys from 0 and
    queries from the length of the past. Angles are float32, or float64 where the queries are.
    enable_gqa: key and value have fewer heads (..., H_kv, S, d) than query (..., H, L, d_k), and g = H / H_kv query
    heads in succession share one of them (Ainslie et al. 2023, section 2.2).
    past: keys and values of earlier positions; key and value are appended to it. S counts both (Shazeer 2019, section
    2.4).
    scale: a number; None is 1/sqrt(d_k).
    softcap: scores become c tanh(scores / c) (Gemma 2, 2024, section 2).
    slopes: m (H,), or a number as a tensor: -m |i - j| is added to the score of positions i and j (Press et al. 2022).
    mask: bool, True = may attend, or float, added to the scaled scores; broadcasts to (..., L, S). Or a Mask without a
    parameter, or its name in `MASKS`: the first query stands at the first key, with a past the last query at the last.
    A query that may attend to nothing has zero weights and a zero output, with finite gradients; a NaN that a query may
    see stays NaN.
    sink: z (H,), or a number as a tensor: e^z is added to the sum by which softmax divides (Miller 2023 for z = 0); or
    (..., H, L), one for each query.
    dropout: the probability p in [0, 1] that a weight is dropped; kept ones are multiplied by 1/(1-p)
    (Srivastava et al. 2014, inverted). `generator` draws the keep-mask, on its own device.
    difference: lambda (H / 2,), a number as a tensor, or (..., H / 2, L): heads come in pairs, and lambda times the
    weights of the second is taken off those of the first (Ye et al. 2024, equation 1; a lambda for each query as in the
    version of 2026). The result has H / 2 heads, and so has value; with enable_gqa value has H_kv, a divisor of H / 2.
    gate: logits (..., L, d_v), or (..., L) for all features alike: the output is multiplied by their sigmoid (Qiu et
    al. 2025, position G1), in each head.
    attn_mask, dropout_p, is_causal: torch's names, in torch's order, of the mask, the dropout and the mask "causal".
    ValueError: an argument that does not fit; the message names it with both numbers.
    """
    checks.flags(is_causal=is_causal, enable_gqa=enable_gqa, interleaved=interleaved)
    tensor_checks.attention_inputs(query, key, value, grouped=enable_gqa, pairs=difference is not None)
    checks.kinds(Tensor, rotary=rotary, positions=positions, key_positions=key_positions, slopes=slopes, sink=sink)
    checks.kinds(Tensor, difference=difference, gate=gate)
    checks.kinds(Cache, past=past)
    checks.kinds(Generator, generator=generator)
    checks.kinds(Trace, trace=trace)
    dropout = one_dropout(dropout, dropout_p)
    checks.probability("dropout", dropout)
    if scale is not None:
        checks.finite("scale", scale)
    if softcap is not None:
        checks.above_zero("softcap", softcap)
    keys = key.shape[-2] if past is None else len(past) + key.shape[-2]
    mask = as_tensor(one_mask(mask, attn_mask, is_causal), query, keys, cached=past is not None)
    if mask is not None:
        tensor_checks.mask_for(mask, query, key, keys, grouped=enable_gqa)
    if slopes is not None or sink is not None:
        tensor_checks.a_number_a_head(query, slopes=slopes)
        tensor_checks.a_number_a_query(query, sink=sink)
    check(query, value, difference, gate)
    t = recorder(trace)
    group = query.shape[-3] // key.shape[-3] if enable_gqa else 1
    of, new = variants(group, past, trace)
    # With a difference, a pair of query heads has one value head and one output head.
    half = n.paired if difference is not None and trace is not None else n.as_it_is
    of_values = half if group == 1 else n.as_it_is
    Q, K, V = query, key, value
    # A module has already recorded how it made queries, keys and values.
    if trace is not None and "queries" not in trace:
        for row, given in ((n.GIVEN_QUERIES, Q), (new(n.GIVEN_KEYS), K), (of_values(new(n.GIVEN_VALUES)), V)):
            trace.record(row, given)
    if qk_norm is not False:
        Q, K = normed(Q, K, qk_norm, t, new)
    if rotary is not None or slopes is not None:
        p_Q, p_K = placed(Q, keys, keys - K.shape[-2], positions, key_positions, t)
    if rotary is not None:
        Q, K = rotated(Q, K, rotary, interleaved, p_Q, p_K, t, new)
    if past is not None:
        K, V = joined(K, V, past, t, of, of_values)
    S = t(of(n.SCORES), Q @ repeated(K, group).mT)
    if scale is None:
        S = t(n.SCALED, S / math.sqrt(Q.shape[-1]))
    else:
        t(n.SCALE, torch.tensor(scale, dtype=torch.float64))
        S = t(n.SCALED_BY, S * scale)
    if softcap is not None:
        t(n.SOFTCAP, torch.tensor(softcap, dtype=torch.float64))
        S = t(n.SOFTCAPPED, softcap * torch.tanh(S / softcap))
    if slopes is not None:
        m = t(n.SLOPES, slopes.to(p_Q))
        S = t(n.BIASED, S + t(n.BIAS, (-m[..., None, None] * (p_Q[:, None] - p_K).abs()).to(S.dtype)))
    # `attention.indexed` has already recorded how it made the mask.
    A = _weights(S, mask, sink, t, record_mask=trace is None or "mask" not in trace)
    if dropout > 0:
        t(n.DROPOUT, torch.tensor(dropout, dtype=torch.float64))
        D = t(n.KEPT, _keep(A, dropout, generator))
        A = t(n.DROPPED, A * D / (1 - dropout or 1))
    if difference is not None:
        A = taken_off(A, difference, t)
        group = max(A.shape[-3] // V.shape[-3], 1) if enable_gqa else 1
    O = t(half(of(n.OUTPUT)), A @ repeated(V, group))
    return O if gate is None else gated(O, gate, trace, half)


def _weights(S: Tensor, mask: Tensor | None, sink: Tensor | None, t: Recorder, record_mask: bool) -> Tensor:
    as_asked = n.as_it_is
    z = None
    if sink is not None:
        of_queries = sink.ndim == S.ndim - 1
        as_asked = n.sunk_by_query if of_queries else n.sunk
        z = t(n.SINK_OF_QUERIES if of_queries else n.SINK, sink.to(S.device, S.dtype))
        z = z[..., None] if of_queries else z[..., None, None]
    if mask is None:
        return t(as_asked(n.WEIGHTS), _softmax(S, z))
    if mask.dtype == torch.bool:
        M = mask.expand(S.shape)
        if record_mask:
            t(n.MASK, M)
        S = t(n.MASKED, S.masked_fill(~M, -math.inf))
        E = ~M.any(-1, keepdim=True)
        row = n.WEIGHTS_MASKED
    else:
        M = t(n.ADDED_MASK, mask.to(S.dtype).expand(S.shape))
        S = t(n.ADDED, S + M)
        E = (M == -math.inf).all(-1, keepdim=True)
        row = n.WEIGHTS_ADDED
    # Empty rows are found in the mask, not by the NaN that softmax gives for them: a NaN in the data must stay visible,
    # and the gradient of an all -inf row would be NaN.
    return t(as_asked(row), _softmax(S.masked_fill(E, 0), z).masked_fill(E, 0))


def _softmax(S: Tensor, z: Tensor | None) -> Tensor:
    if z is None:
        return S.softmax(-1)
    return torch.cat((S, z.expand(*S.shape[:-1], 1)), -1).softmax(-1)[..., :-1]


def _keep(A: Tensor, dropout: float, generator: Generator | None) -> Tensor:
    device = A.device if generator is None else generator.device
    return (torch.rand(A.shape, generator=generator, device=device) >= dropout).to(A.device)
