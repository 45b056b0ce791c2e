"""Queries, keys and values before the scores: normalised, rotated by their positions, joined to a cache."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention import notation as n
from attention import tensor_checks
from attention.cache import Cache
from attention.positions import rotate
from attention.trace import Quantity, Recorder, Trace

Variant = Callable[[Quantity], Quantity]


def variants(group: int, past: Cache | None, trace: Trace | None) -> tuple[Variant, Variant]:
    """The variant of rows for steps of all keys, and the one for steps of the new keys alone.

    group: the number of query heads that share a key head. Rows stay as they are without a trace, because nobody reads
    them.
    """
    if trace is None:
        return n.as_it_is, n.as_it_is
    heads = n.grouped if group > 1 else n.as_it_is
    return heads, (lambda row: heads(n.fresh(row))) if past is not None and len(past) else heads


def normed(
    Q: Tensor, K: Tensor, qk_norm: bool | tuple[Tensor, Tensor], t: Recorder, new: Variant
) -> tuple[Tensor, Tensor]:
    """Q and K divided by the root of their mean square. qk_norm: True, or the gains (d_k,) of queries and keys."""
    if isinstance(qk_norm, bool):
        Q = t(n.QUERIES_NORMED, torch.rms_norm(Q, Q.shape[-1:]))
        return Q, t(new(n.KEYS_NORMED), torch.rms_norm(K, K.shape[-1:]))
    if not isinstance(qk_norm, tuple):
        raise ValueError(f"qk_norm must be a bool or the gains of queries and keys, got {type(qk_norm).__name__}")
    tensor_checks.gains(Q, *qk_norm)
    g_Q, g_K = t(n.G_Q, qk_norm[0]), t(n.G_K, qk_norm[1])
    Q = t(n.gained(n.QUERIES_NORMED), torch.rms_norm(Q, Q.shape[-1:], g_Q))
    return Q, t(new(n.gained(n.KEYS_NORMED)), torch.rms_norm(K, K.shape[-1:], g_K))


def placed(
    Q: Tensor, keys: int, start: int, positions: Tensor | None, key_positions: Tensor | None, t: Recorder
) -> tuple[Tensor, Tensor]:
    """The positions of the queries (L,) and of all keys (S,); by default queries count from `start`, keys from 0."""
    queries = Q.shape[-2]
    tensor_checks.places(positions=(positions, queries), key_positions=(key_positions, keys))
    exact = torch.float64 if Q.dtype == torch.float64 else torch.float32
    p_Q = torch.arange(start, start + queries) if positions is None else positions
    p_K = torch.arange(keys) if key_positions is None else key_positions
    return t(n.QUERY_POSITIONS, p_Q.to(Q.device, exact)), t(n.KEY_POSITIONS, p_K.to(Q.device, exact))


def rotated(
    Q: Tensor, K: Tensor, rotary: Tensor, interleaved: bool, p_Q: Tensor, p_K: Tensor, t: Recorder, new: Variant
) -> tuple[Tensor, Tensor]:
    """Q and K with their first 2 len(rotary) features turned by the angles of their positions."""
    tensor_checks.rotary(rotary, Q)
    theta = t(n.FREQUENCIES, rotary.to(Q.device, p_Q.dtype))
    Phi_Q = t(n.QUERY_ANGLES, p_Q[:, None] * theta)
    Phi_K = t(new(n.KEY_ANGLES), p_K[-K.shape[-2] :, None] * theta)
    all_turn = 2 * len(theta) == Q.shape[-1]

    def row(of: Quantity) -> Quantity:
        of = n.interleaved(of) if interleaved else of
        return of if all_turn else n.partial(of)

    Q = t(row(n.QUERIES_ROTATED), rotate(Q, Phi_Q, interleaved=interleaved))
    return Q, t(new(row(n.KEYS_ROTATED)), rotate(K, Phi_K, interleaved=interleaved))


def joined(K: Tensor, V: Tensor, past: Cache, t: Recorder, heads: Variant, of_values: Variant) -> tuple[Tensor, Tensor]:
    """Append K and V to the cache, and return all keys and values in it."""
    before = past.keys, past.values
    K, V = past.append(K, V)
    if before[0] is None or before[1] is None:
        return K, V
    t(heads(n.PAST_KEYS), before[0])
    t(of_values(heads(n.PAST_VALUES)), before[1])
    return t(heads(n.KEYS_JOINED), K), t(of_values(heads(n.VALUES_JOINED)), V)


def repeated(heads: Tensor, group: int) -> Tensor:
    """Repeat each key or value head `group` times, once for each query head that reads it."""
    return heads if group == 1 else heads.repeat_interleave(group, -3)
