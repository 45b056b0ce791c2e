"""Validate the tensors that attention takes: every error names the argument, the axis, both numbers and the choices."""

from collections.abc import Mapping

import torch
from torch import Tensor

from attention import checks

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


def attention_inputs(query: Tensor, key: Tensor, value: Tensor, *, grouped: bool = False, pairs: bool = False) -> None:
    """Raise ValueError unless query (..., L, d_k), key (..., S, d_k) and value (..., S, d_v) fit together.

    grouped: a key head may serve several query heads in succession; pairs: a value head serves two query heads.
    """
    named = {"query": query, "key": key, "value": value}
    checks.needed(Tensor, **named)
    for name, tensor in named.items():
        if tensor.ndim < 2:
            raise ValueError(f"{name} needs at least 2 axes (positions, features), got shape {tuple(tensor.shape)}")
    same_kind(named)
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"axis 'feature': query has d_k = {query.shape[-1]}, key has {key.shape[-1]}")
    if query.shape[-1] < 1:
        raise ValueError("axis 'feature': query and key have no features, d_k must be at least 1")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"axis 'key': key has {key.shape[-2]} positions, value has {value.shape[-2]}")
    if grouped:
        _key_heads(query, key, value)
    if pairs:
        _head_pairs(query, key, value, grouped)
    end = -3 if grouped else -2
    # With pairs, two query heads read one value head.
    values = (*value.shape[:-3], 1) if pairs and not grouped else value.shape[:end]
    try:
        torch.broadcast_shapes(query.shape[:end], key.shape[:end], values)
    except RuntimeError:
        shapes = ", ".join(f"{name} {tuple(tensor.shape[:-2])}" for name, tensor in named.items())
        raise ValueError(f"the leading axes do not broadcast: {shapes}") from None


def _key_heads(query: Tensor, key: Tensor, value: Tensor) -> None:
    for name, tensor in {"query": query, "key": key, "value": value}.items():
        if tensor.ndim < 3:
            raise ValueError(f"enable_gqa: {name} needs an axis of heads, got shape {tuple(tensor.shape)}")
    heads, keys, values = (tensor.shape[-3] for tensor in (query, key, value))
    if keys != values:
        raise ValueError(f"enable_gqa: key has {keys} heads, value has {values}")
    if keys < 1 or heads % keys:
        raise ValueError(f"enable_gqa: {heads} query heads are no multiple of {keys} key heads")


def _head_pairs(query: Tensor, key: Tensor, value: Tensor, grouped: bool) -> None:
    if query.ndim < 3 or query.shape[-3] % 2:
        heads = query.shape[-3] if query.ndim > 2 else "no"
        raise ValueError(f"difference needs an even number of query heads, since they come in pairs, got {heads}")
    half = query.shape[-3] // 2
    if grouped and half % key.shape[-3]:
        raise ValueError(f"difference: {half} pairs of query heads are no multiple of {key.shape[-3]} key heads")
    if not grouped and (value.ndim < 3 or value.shape[-3] not in (1, half)):
        heads = value.shape[-3] if value.ndim > 2 else "no"
        raise ValueError(f"difference: {half} pairs of query heads need as many value heads, got {heads}")


def rotary(theta: Tensor, query: Tensor) -> None:
    """Raise ValueError unless theta is (d_r / 2,): one angle for each pair among the first d_r of d_k features."""
    pairs = query.shape[-1] // 2
    if theta.ndim != 1 or not 1 <= len(theta) <= pairs:
        raise ValueError(
            f"rotary needs an angle for each pair of features that turns, at most {pairs} for d_k = {query.shape[-1]},"
            f" got shape {tuple(theta.shape)}"
        )


def places(**named: tuple[Tensor | None, int]) -> None:
    """Raise ValueError unless positions, if they are given, are as many as queries or keys."""
    for name, (given, count) in named.items():
        if given is not None and given.shape != (count,):
            raise ValueError(f"{name} needs shape ({count},), got {tuple(given.shape)}")


def gains(query: Tensor, of_queries: Tensor, of_keys: Tensor) -> None:
    """Raise ValueError unless the gains of a normalisation are (d_k,)."""
    for name, given in {"queries": of_queries, "keys": of_keys}.items():
        if given.shape != query.shape[-1:]:
            raise ValueError(f"qk_norm: the gain of {name} needs shape ({query.shape[-1]},), got {tuple(given.shape)}")
    same_kind({"query": query, "qk_norm": of_queries, "the gain of keys": of_keys})


def a_number_a_head(query: Tensor, **named: Tensor | None) -> None:
    """Raise ValueError unless the argument is a number, or has one number for each head of the query."""
    for name, given in named.items():
        if given is not None and given.shape not in ((), query.shape[-3:-2] if query.ndim > 2 else ()):
            heads = query.shape[-3] if query.ndim > 2 else "no"
            raise ValueError(
                f"{name} needs a number a head, or one for all, got {tuple(given.shape)} for {heads} heads"
            )


def a_number_a_query(query: Tensor, **named: Tensor | None) -> None:
    """Raise ValueError unless the argument is a number, or has one for each head or for each query."""
    for name, given in named.items():
        if given is None or given.ndim != query.ndim - 1:
            a_number_a_head(query, **{name: given})
        elif given.shape[-1] != query.shape[-2] or not fits(given.shape, query.shape[:-1]):
            raise ValueError(f"{name} needs a number a query, {tuple(query.shape[:-1])}, got {tuple(given.shape)}")


def fits(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to another one."""
    try:
        return bool(torch.broadcast_shapes(shape, wanted) == torch.Size(wanted))
    except RuntimeError:
        return False


def same_kind(named: Mapping[str, Tensor]) -> None:
    """Raise ValueError unless all tensors share one supported dtype and one device."""
    (first, reference), *others = named.items()
    if reference.dtype not in DTYPES:
        choices = ", ".join(map(_short, DTYPES))
        raise ValueError(f"{first} has dtype {_short(reference.dtype)}; one of {choices}")
    for name, tensor in others:
        if tensor.dtype != reference.dtype:
            raise ValueError(f"{name} has dtype {_short(tensor.dtype)}, {first} has {_short(reference.dtype)}")
        if tensor.device != reference.device:
            raise ValueError(f"{name} is on {tensor.device}, {first} on {reference.device}")


def same_shape(name: str, tensor: Tensor, other: str, reference: Tensor) -> None:
    if tensor.shape != reference.shape:
        raise ValueError(f"{name} has shape {tuple(tensor.shape)}, the {other} {tuple(reference.shape)}")


def mask_for(mask: Tensor, query: Tensor, key: Tensor, keys: int, *, grouped: bool = False) -> None:
    """Raise ValueError unless the mask is bool or float and broadcasts to the scores (..., L, S)."""
    if mask.dtype != torch.bool and mask.dtype not in DTYPES:
        raise ValueError(
            f"mask has dtype {_short(mask.dtype)}; bool (True = may attend; mask.bool() makes one)"
            " or float (added to the scaled scores)"
        )
    if mask.device != query.device:
        raise ValueError(f"mask is on {mask.device}, query on {query.device}")
    end = -3 if grouped else -2
    lead = (*torch.broadcast_shapes(query.shape[:end], key.shape[:end]), *query.shape[end:-2])
    scores = (*lead, query.shape[-2], keys)
    try:
        fits = torch.broadcast_shapes(mask.shape, scores) == scores
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(f"mask {tuple(mask.shape)} does not broadcast to the scores {scores}{_advice(mask, scores)}")


def _advice(mask: Tensor, scores: tuple[int, ...]) -> str:
    """Advice on passing a mask of one of the usual wrong shapes."""
    if len(scores) > 2 and mask.shape == (scores[0], scores[-1]):
        return f"; a padding mask (batch, keys) is passed as mask[:, {'None, ' * (len(scores) - 2)}:]"
    if len(scores) == 4 and mask.shape == (scores[0], *scores[-2:]):
        return "; a mask (batch, queries, keys) is passed as mask[:, None]"
    return ""


def last_axis(name: str, tensor: Tensor, size_name: str, size: int) -> None:
    checks.kinds(Tensor, **{name: tensor})
    if tensor.ndim < 2:
        raise ValueError(f"{name} needs at least 2 axes (positions, {size_name}), got shape {tuple(tensor.shape)}")
    if tensor.shape[-1] != size:
        raise ValueError(f"{name} has {tensor.shape[-1]} features, {size_name} is {size}")


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
