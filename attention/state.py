"""A state in place of a cache: the delta rule, its decay, and plain addition (linear attention).

One matrix S (d_k, d_v) a head remembers all earlier tokens. A token fades S (alpha), looks up what S holds for its key,
writes beta times the difference to its value, and reads with its query: DeltaNet (Schlag et al. 2021), gated DeltaNet
(Yang et al. 2024, arXiv 2412.06464: one alpha a head), Kimi Delta Attention (2025, arXiv 2510.26692: one alpha a
feature). `step` is one token; `all_at_once` is the same for all tokens, as a matrix M (n, n) in place of the weights
(Yang et al. 2024, arXiv 2406.06484).
"""

import math
from typing import Any

import torch
from torch import Tensor

from attention import checks, tensor_checks
from attention import notation as n
from attention import state_notation as s
from attention.trace import Recorder, Trace, recorder

# delta: a token writes the difference between its value and the read of its key; add: it writes its value, whatever its
# key reads (linear attention without a feature map and without a quotient).
RULES = ("delta", "add")


def all_at_once(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    beta: Tensor,
    decay: Tensor | None = None,
    *,
    rule: str = "delta",
    unit: bool = True,
    scale: float | None = None,
    trace: Trace | None = None,
) -> Tensor:
    """The reads of n tokens from a state that starts empty: (..., n, d_v), with gradients, each step recorded.

    query, key (..., n, d_k), value (..., n, d_v): float64 or float32. Each token sees itself and all earlier tokens.
    beta (..., n): how much of the difference a token writes; with unit keys and beta between 0 and 2, no token makes
    the state before it longer. decay (..., n), or (..., n, d_k) for each feature by itself: the share, 0 to 1, that a
    token leaves of the state before it; None leaves all of it. rule: one of `RULES`. unit: divide each query and key by
    its length. scale: a factor of the queries; None is 1/sqrt(d_k). ValueError: an argument that does not fit; the
    message names it with both numbers.
    """
    _check(query, key, value, beta, decay, rule, scale, trace)
    t = recorder(trace)
    Q, K, V, beta, alpha = _given(query, key, value, beta, decay, t)
    Q, K = _prepared(Q, K, unit, scale, t)
    H, R = _products(Q, K, alpha, rule, t)
    if H is None:
        T = t(s.TRANSFORM_ADDS, torch.diag_embed(beta))
    else:
        below = (beta[..., None] * H).tril(-1)
        T = torch.linalg.solve_triangular(below, torch.diag_embed(beta), upper=False, unitriangular=True)
        t(s.TRANSFORM, T)
    t(s.WRITES, T @ V)
    M = t(s.MIXING, R @ T)
    return t(s.MIXED, M @ V)


def step(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    beta: Tensor,
    decay: Tensor | None = None,
    *,
    state: Tensor | None = None,
    rule: str = "delta",
    unit: bool = True,
    scale: float | None = None,
    trace: Trace | None = None,
) -> tuple[Tensor, Tensor]:
    """The read of one token, (..., 1, d_v), and the state that it leaves, (..., d_k, d_v); each step recorded.

    state: that of the token before, None for zeros; it is not changed in place. The other arguments as in
    `all_at_once`, for n = 1. ValueError: as there; more than one token; a state of another shape.
    """
    _check(query, key, value, beta, decay, rule, scale, trace)
    if key.shape[-2] != 1:
        raise ValueError(f"a step is one token, got {key.shape[-2]}; all_at_once takes several")
    t = recorder(trace)
    Q, K, V, beta, alpha = _given(query, key, value, beta, decay, t)
    shape = (*torch.broadcast_shapes(K.shape[:-2], V.shape[:-2]), K.shape[-1], V.shape[-1])
    S = t(s.PAST_STATE, _state(state, shape, K))
    Q, K = _prepared(Q, K, unit, scale, t)
    if alpha is not None:
        of_features = alpha.ndim == K.ndim
        row = s.FADED_BY_FEATURE if of_features else s.FADED
        S = t(row, (alpha.transpose(-2, -1) if of_features else alpha[..., None]) * S)
    if rule == "delta":
        P = t(s.LOOKED_UP, K @ S)
        U = t(s.WRITES_DIFFERENCE, beta[..., None] * (V - P))
    else:
        U = t(s.WRITES_VALUE, beta[..., None] * V)
    S = t(s.WRITTEN, S + K.mT @ U)
    return t(s.READ, Q @ S), S


def again(record: Trace, given: dict[str, Tensor], trace: Trace) -> None:
    """Repeat a run of `step` or `all_at_once` with other givens, by step id, and record the new run in `trace`."""
    scale = record["scale"].value.item() if "scale" in record else None
    chosen: dict[str, Any] = {"decay": given.get("decay"), "unit": "keys_unit" in record, "scale": scale}
    q, k, v, beta = (given[id] for id in ("queries", "keys", "values", "beta"))
    if "past_state" in record:
        rule = "delta" if "looked_up" in record else "add"
        step(q, k, v, beta, state=given["past_state"], rule=rule, **chosen, trace=trace)
    else:
        rule = "delta" if "overlaps" in record else "add"
        all_at_once(q, k, v, beta, rule=rule, **chosen, trace=trace)


def _given(
    query: Tensor, key: Tensor, value: Tensor, beta: Tensor, decay: Tensor | None, t: Recorder
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor | None]:
    Q, K, V = t(n.GIVEN_QUERIES, query), t(n.GIVEN_KEYS, key), t(n.GIVEN_VALUES, value)
    beta = t(s.BETA, beta)
    if decay is not None:
        decay = t(s.DECAY_OF_FEATURES if decay.ndim == key.ndim else s.DECAY, decay)
    return Q, K, V, beta, decay


def _prepared(Q: Tensor, K: Tensor, unit: bool, scale: float | None, t: Recorder) -> tuple[Tensor, Tensor]:
    """Queries and keys, divided by their length if `unit`; the queries are scaled as well."""
    if unit:
        Q = t(s.QUERIES_UNIT, torch.nn.functional.normalize(Q, dim=-1))
        K = t(s.KEYS_UNIT, torch.nn.functional.normalize(K, dim=-1))
    if scale is None:
        return t(s.QUERIES_SCALED, Q / math.sqrt(Q.shape[-1])), K
    t(n.SCALE, torch.tensor(scale, dtype=torch.float64))
    return t(s.QUERIES_SCALED_BY, Q * scale), K


def _products(Q: Tensor, K: Tensor, alpha: Tensor | None, rule: str, t: Recorder) -> tuple[Tensor | None, Tensor]:
    """The products of keys with keys (None for the rule "add", which looks nothing up), and of queries with keys."""
    if alpha is None:
        H = t(s.OVERLAPS, (K @ K.mT).tril()) if rule == "delta" else None
        return H, t(s.READINGS, (Q @ K.mT).tril())
    later = torch.ones(K.shape[-2], K.shape[-2], dtype=torch.bool, device=K.device).tril(-1)
    # Products, not differences of logarithms, so that a decay may be 0.
    if alpha.ndim < K.ndim:
        Gamma = t(s.RETAINED, torch.where(later, alpha[..., None], 1).cumprod(-2).tril())
        H = t(s.decayed(s.OVERLAPS), Gamma * (K @ K.mT)) if rule == "delta" else None
        return H, t(s.decayed(s.READINGS), Gamma * (Q @ K.mT))
    kept = torch.where(later[..., None], alpha[..., :, None, :], 1).cumprod(-3)
    earlier = K[..., None, :, :]
    H = (K[..., :, None, :] * earlier * kept).sum(-1).tril() if rule == "delta" else None
    if H is not None:
        t(s.decayed_by_feature(s.OVERLAPS), H)
    return H, t(s.decayed_by_feature(s.READINGS), (Q[..., :, None, :] * earlier * kept).sum(-1).tril())


def _state(state: Tensor | None, shape: tuple[int, ...], like: Tensor) -> Tensor:
    if state is None:
        return like.new_zeros(shape)
    checks.kinds(Tensor, state=state)
    tensor_checks.same_kind({"key": like, "state": state})
    if state.shape != shape:
        raise ValueError(f"state needs shape {shape}, got {tuple(state.shape)}")
    return state


def _check(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    beta: Tensor,
    decay: Tensor | None,
    rule: str,
    scale: float | None,
    trace: Trace | None,
) -> None:
    tensor_checks.attention_inputs(query, key, value)
    checks.kinds(Tensor, beta=beta, decay=decay)
    checks.kinds(Trace, trace=trace)
    checks.choice("rule", rule, RULES)
    if query.dtype not in (torch.float64, torch.float32):
        raise ValueError(f"query has dtype {str(query.dtype).removeprefix('torch.')}; one of float64, float32")
    if query.shape[-2] != key.shape[-2]:
        raise ValueError(f"a state needs as many queries as keys, got {query.shape[-2]} and {key.shape[-2]}")
    if scale is not None:
        checks.finite("scale", scale)
    tensor_checks.same_kind({"query": query, "beta": beta} | ({} if decay is None else {"decay": decay}))
    if beta.ndim != key.ndim - 1 or beta.shape[-1] != key.shape[-2]:
        raise ValueError(f"beta needs a number a token, {tuple(key.shape[:-1])}, got {tuple(beta.shape)}")
    if decay is None:
        return
    of_features = decay.ndim == key.ndim
    shape = tuple(key.shape) if of_features else tuple(key.shape[:-1])
    if decay.ndim < key.ndim - 1 or tuple(decay.shape[-1 - of_features :]) != shape[-1 - of_features :]:
        raise ValueError(
            f"decay needs a number a token, {tuple(key.shape[:-1])}, or a feature, {tuple(key.shape)},"
            f" got {tuple(decay.shape)}"
        )
    if not ((decay >= 0) & (decay <= 1)).all():
        raise ValueError(f"decay must lie between 0 and 1, got {decay.min().item():g} to {decay.max().item():g}")
