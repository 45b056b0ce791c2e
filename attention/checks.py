"""What may be passed to attention: every refusal names the argument, the axis, both numbers and the choices."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


def attention_inputs(query: Tensor, key: Tensor, value: Tensor) -> None:
    """Raise ValueError unless query (..., L, d_k), key (..., S, d_k) and value (..., S, d_v) fit together."""
    named = {"query": query, "key": key, "value": value}
    for name, tensor in named.items():
        if tensor.ndim < 2:
            raise ValueError(f"{name} needs at least 2 axes (positions, features), got shape {tuple(tensor.shape)}")
    same_kind(named)
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"axis 'feature': query has d_k = {query.shape[-1]}, key has {key.shape[-1]}")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"axis 'key': key has {key.shape[-2]} positions, value has {value.shape[-2]}")
    try:
        torch.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    except RuntimeError:
        shapes = ", ".join(f"{name} {tuple(tensor.shape[:-2])}" for name, tensor in named.items())
        raise ValueError(f"the leading axes do not broadcast: {shapes}") from None


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


def mask_for(mask: Tensor, scores: Tensor) -> None:
    """Raise ValueError unless the mask is bool or float and broadcasts to the scores (..., L, S)."""
    if mask.dtype != torch.bool and mask.dtype not in DTYPES:
        raise ValueError(
            f"mask has dtype {_short(mask.dtype)}; bool (True = may attend; mask.bool() makes one)"
            " or float (added to the scaled scores)"
        )
    if mask.device != scores.device:
        raise ValueError(f"mask is on {mask.device}, query on {scores.device}")
    try:
        fits = torch.broadcast_shapes(mask.shape, scores.shape) == scores.shape
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(_unfitting(tuple(mask.shape), tuple(scores.shape)))


def _unfitting(mask: tuple[int, ...], scores: tuple[int, ...]) -> str:
    message = f"mask {mask} does not broadcast to the scores {scores}"
    if len(mask) == 2 and mask[-1] == scores[-1]:
        return f"{message}; a padding mask (batch, keys) is passed as mask[:, None, None, :]"
    if len(mask) == 3:
        return f"{message}; a mask (batch, queries, keys) is passed as mask[:, None]"
    return message


def probability(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {value}")


def finite(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, got {value}")


def positive(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def last_axis(name: str, tensor: Tensor, size_name: str, size: int) -> None:
    if tensor.ndim < 2:
        raise ValueError(f"{name} needs at least 2 axes (positions, {size_name}), got shape {tuple(tensor.shape)}")
    if tensor.shape[-1] != size:
        raise ValueError(f"{name} has {tensor.shape[-1]} features, {size_name} is {size}")


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
