"""Checks of a file's content: each tensor in the form that attention takes, or an error that says what is wrong."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from attention.export.unreadable import UnreadableError

# The largest axes that can be opened.
LONGEST, WIDEST, MOST_HEADS, MOST_SENTENCES = 512, 1024, 128, 64
# An added number of at most this hides a key: transformers add the smallest number of a dtype.
HIDES = -1e4


def whole(name: str, value: Tensor) -> Tensor:
    """(batch, heads, n, d) in float32, every number finite."""
    if not value.is_floating_point():
        raise UnreadableError("floats", name=name, dtype=_dtype(value))
    if not 2 <= value.ndim <= 4:
        raise UnreadableError("axes", name=name, axes=value.ndim)
    if not value.numel():
        raise UnreadableError("empty", name=name)
    found = value[(None,) * (4 - value.ndim)].float()
    mosts = {"batch": MOST_SENTENCES, "head": MOST_HEADS, "token": LONGEST, "feature": WIDEST}
    for (axis, most), size in zip(mosts.items(), found.shape, strict=True):
        if size > most:
            raise UnreadableError("largest", name=name, axis=axis, size=size, most=most)
    _finite(name, value)
    # A float64 beyond the range of float32 has become infinite.
    _finite(name, found)
    return found.contiguous()


def _finite(name: str, value: Tensor) -> None:
    wrong = ~value.isfinite()
    if wrong.any():
        place = wrong.nonzero()[0].tolist()
        raise UnreadableError("number", name=name, value=value[tuple(place)].item(), place=place)


def as_mask(mask: Tensor, pairs: Sequence[int]) -> Tensor:
    """A mask as a boolean one with four axes, of which the first two may be 1."""
    if mask.ndim < 2 or mask.ndim > 4:
        raise UnreadableError("fits", name="mask", sizes=list(mask.shape), wanted=list(pairs[-2:]))
    if mask.dtype != torch.bool:
        mask = _as_boolean(mask)
    found = mask[(None,) * (4 - mask.ndim)]
    if any(size not in (1, wanted) for size, wanted in zip(found.shape, pairs, strict=True)):
        raise UnreadableError("fits", name="mask", sizes=list(mask.shape), wanted=list(pairs[-mask.ndim :]))
    return found.expand(*found.shape[:2], *pairs[2:]).contiguous()


def _as_boolean(mask: Tensor) -> Tensor:
    if not mask.is_floating_point():
        raise UnreadableError("mask", dtype=_dtype(mask))
    shows, hides = mask == 0, mask <= HIDES
    strange = ~(shows | hides)
    if strange.any():
        place = strange.nonzero()[0].tolist()
        raise UnreadableError("adds", value=f"{mask[tuple(place)].item():.4g}", place=place, hides=f"{HIDES:g}")
    return shows


def as_weights(weights: Tensor, pairs: Sequence[int]) -> Tensor:
    """Weights with the axes (batch, heads, L, S) of `pairs`, in float32."""
    found = whole("weights", weights) if weights.is_floating_point() else weights
    if not weights.is_floating_point() or tuple(found.shape) != tuple(pairs):
        raise UnreadableError("fits", name="weights", sizes=list(weights.shape), wanted=list(pairs))
    return found


def number(name: str, value: Tensor | None) -> float | None:
    """A finite number, above 0 for a soft cap; None for None."""
    if value is None:
        return None
    if value.numel() != 1 or not math.isfinite(found := float(value)):
        raise UnreadableError("scalar", name=name)
    if name == "softcap" and found <= 0:
        raise UnreadableError("scalar", name=name)
    return found


def row(name: str, value: Tensor, size: int) -> Tensor:
    """(size,) in float32; a single number stands for each."""
    flat = value.float().reshape(-1)
    if flat.numel() not in (1, size):
        raise UnreadableError("fits", name=name, sizes=list(value.shape), wanted=[size])
    _finite(name, flat)
    return flat.expand(size).contiguous()


def same(axis: str, one: str, size: int, other: str, others: int) -> None:
    """Refuse an axis that two tensors share and that has two sizes."""
    if size != others:
        raise UnreadableError("differ", axis=axis, one=one, size=size, other=other, others=others)


def _dtype(value: Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")
