"""Validate single arguments: every error names the argument, the number and the choices."""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from numbers import Integral, Real

from torch import Tensor


def kinds(kind: type, **given: object) -> None:
    """Raise ValueError unless each argument that is given (not None) is of a kind."""
    for name, value in given.items():
        if value is not None and not isinstance(value, kind):
            raise ValueError(f"{name} must be a {kind.__name__}, got {type(value).__name__}")


def needed(kind: type, **given: object) -> None:
    """Raise ValueError unless each argument is of a kind."""
    for name, value in given.items():
        if not isinstance(value, kind):
            raise ValueError(f"{name} must be a {kind.__name__}, got {type(value).__name__}")


def flags(**given: object) -> None:
    """Raise ValueError unless each argument is True or False: the text "no" would count as True."""
    for name, value in given.items():
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be True or False, got {type(value).__name__}")


def inside(name: str, index: int, size: int, of: str) -> None:
    """Raise ValueError unless an index, from 0, is within a size. of: what is indexed, in words."""
    whole(name, index)
    if not 0 <= index < size:
        raise ValueError(f"{name} {index} is not in {of}; 0 to {size - 1}")


def whole(name: str, value: object) -> None:
    """Raise ValueError unless an argument is a whole number."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{name} must be a whole number, got {type(value).__name__}")


def labels(given: object, sizes: Mapping[str, int], *, of: str, all_axes: bool = True) -> None:
    """Raise ValueError unless labels give each axis as many words as it has positions. sizes: by the name of the axis;
    of: what has the axes, in words; all_axes: whether `sizes` lists every axis."""
    if given is None:
        return
    if not isinstance(given, Mapping):
        raise ValueError(f"labels must map the name of an axis to its words, got {type(given).__name__}")
    for axis, words in given.items():
        if axis in sizes and len(words) != sizes[axis]:
            raise ValueError(f"labels: axis {axis!r} of {of} has {sizes[axis]} positions, got {len(words)} words")
        if axis not in sizes and all_axes:
            raise ValueError(f"labels: {of} has no axis {axis!r}; it has {', '.join(sizes) or 'none'}")


def probability(name: str, value: float) -> None:
    between(name, value, 0, 1)


def between(name: str, value: float, low: float, high: float) -> None:
    number(name, value)
    if not low <= value <= high:
        raise ValueError(f"{name} must lie between {low} and {high}, got {value}")


def number(name: str, value: object) -> None:
    """Raise ValueError unless an argument is one number, a tensor of one number among them."""
    one = value.ndim == 0 if isinstance(value, Tensor) else isinstance(value, Real)
    if not one:
        raise ValueError(f"{name} must be a number, got {type(value).__name__}")


def finite(name: str, value: float) -> None:
    number(name, value)
    if not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, got {value}")


def positive(**sizes: int) -> None:
    at_least(1, **sizes)


def at_least(least: int, /, **sizes: int) -> None:
    for name, size in sizes.items():
        whole(name, size)
        if size < least:
            raise ValueError(f"{name} must be at least {least}, got {size}")


def above_zero(name: str, value: float) -> None:
    number(name, value)
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be a finite number above 0, got {value}")


def ascending(name: str, sizes: Sequence[int]) -> None:
    """Raise ValueError unless there is a size, the first is at least 1, and each is larger than the one before."""
    if not sizes or any(low >= high for low, high in pairwise((0, *sizes))):
        raise ValueError(f"{name} must ascend from at least 1, got {', '.join(map(str, sizes)) or 'none'}")


def choice(name: str, value: str, choices: Collection[str]) -> None:
    if value not in choices:
        raise ValueError(f"unknown {name} {value!r}; one of {', '.join(choices)}")
