"""Masks as predicates on positions: `predicate(i, j)` says whether query i may attend to key j. True = may attend.

The polarity is that of `torch.nn.functional.scaled_dot_product_attention`; the boolean masks of
`torch.nn.MultiheadAttention` mean the opposite.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import signature

import torch
from torch import Tensor

CORNERS = ("upper_left", "lower_right")

Predicate = Callable[..., Tensor]
MaskMod = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Mask:
    """A named predicate on index grids; `&` and `|` make new ones that take the parameters of both.

    parts: the masks that it combines, none of which has parts itself; () for a mask that is not combined.
    """

    name: str
    predicate: Predicate
    parameters: tuple[str, ...]
    parts: tuple["Mask", ...] = ()

    def __call__(self, i: Tensor, j: Tensor, **parameters: int) -> Tensor:
        return self.predicate(i, j, **parameters)

    def __and__(self, other: "Mask") -> "Mask":
        return self._combined(other, "&", torch.logical_and)

    def __or__(self, other: "Mask") -> "Mask":
        return self._combined(other, "|", torch.logical_or)

    def mask_mod(self, *, offset: int = 0, **parameters: int) -> "MaskMod":
        """The predicate as FlexAttention calls it, with indices of sentence, head, query and key.

        offset: the position of the first query (`position(0, queries, keys, corner)`). ValueError: as `grid`.
        """
        chosen = _known(self, parameters)

        def mod(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
            return chosen(q + offset, k, **parameters)

        return mod

    def _combined(self, other: "Mask", sign: str, operation: Callable[[Tensor, Tensor], Tensor]) -> "Mask":
        def predicate(i: Tensor, j: Tensor, **parameters: int) -> Tensor:
            mine = {name: parameters[name] for name in self.parameters}
            theirs = {name: parameters[name] for name in other.parameters}
            return operation(self(i, j, **mine), other(i, j, **theirs))

        names = tuple(dict.fromkeys(self.parameters + other.parameters))
        parts = dict.fromkeys((self.parts or (self,)) + (other.parts or (other,)))
        return Mask(f"{_grouped(self)} {sign} {_grouped(other)}", predicate, names, tuple(parts))


def _grouped(mask: Mask) -> str:
    return f"({mask.name})" if " " in mask.name else mask.name


MASKS: dict[str, Mask] = {}


def _mask(predicate: Predicate) -> Mask:
    name = predicate.__name__
    MASKS[name] = Mask(name, predicate, tuple(signature(predicate).parameters)[2:])
    return MASKS[name]


@_mask
def full(i: Tensor, j: Tensor) -> Tensor:
    """Every query sees every key.

    ■ ■ ■ ■
    ■ ■ ■ ■
    ■ ■ ■ ■
    """
    return torch.ones_like(i * j, dtype=torch.bool)


@_mask
def causal(i: Tensor, j: Tensor) -> Tensor:
    """A query sees itself and all earlier keys (Vaswani et al. 2017, section 3.2.3).

    upper_left    lower_right
    ■ · · ·       ■ ■ · ·
    ■ ■ · ·       ■ ■ ■ ·
    ■ ■ ■ ·       ■ ■ ■ ■
    """
    return j <= i


@_mask
def window(i: Tensor, j: Tensor, width: int) -> Tensor:
    """A query sees the keys less than `width` positions away; width 2:

    ■ ■ · ·
    ■ ■ ■ ·
    · ■ ■ ■

    `causal & window` is the sliding window of width keys, the query's own among them (Beltagy et al. 2020).
    """
    return (i - j).abs() < width


@_mask
def prefix(i: Tensor, j: Tensor, length: int) -> Tensor:
    """Causal, but every query sees the first `length` keys (the prefix LM of Raffel et al. 2020); length 2:

    ■ ■ · ·
    ■ ■ · ·
    ■ ■ ■ ·
    """
    return causal(i, j) | (j < length)


MASKS["causal & window"] = causal & window


def grid(
    name: str | Mask,
    queries: int,
    keys: int,
    *,
    corner: str = "upper_left",
    device: torch.device | str | None = None,
    **parameters: int,
) -> Tensor:
    """The mask over positions, bool (queries, keys), True = may attend.

    name: a name in `MASKS`, or a Mask, for instance `MASKS["causal"] & MASKS["window"]`.
    corner: the position of query 0 when queries != keys: `upper_left` aligns it with key 0 (as `is_causal` of
    `torch.nn.functional.scaled_dot_product_attention`), `lower_right` aligns the last query with the last key
    (a KV cache: the queries are the newest positions).
    ValueError: an unknown name, corner or parameter, a missing one, or a size or parameter below its least value.
    """
    chosen = checked(name, queries, keys, corner, parameters)
    i = torch.arange(queries, device=device)[:, None] + position(0, queries, keys, corner)
    j = torch.arange(keys, device=device)[None, :]
    return chosen(i, j, **parameters).expand(queries, keys).contiguous()


def checked(name: str | Mask, queries: int, keys: int, corner: str, parameters: dict[str, int]) -> Mask:
    """The mask of a name. ValueError: as `grid`."""
    chosen = _known(name, parameters)
    for axis, size in {"queries": queries, "keys": keys}.items():
        if size < 1:
            raise ValueError(f"{axis} must be at least 1, got {size}")
    if corner not in CORNERS:
        raise ValueError(f"unknown corner {corner!r}; one of {', '.join(CORNERS)}")
    return chosen


def position(row: int, queries: int, keys: int, corner: str) -> int:
    """The position of the query of a row (from 0) among the keys; below 0 if it comes before the first key."""
    return row + (keys - queries if corner == "lower_right" else 0)


def verdicts(name: str | Mask, i: int, j: int, **parameters: int) -> dict[str, bool]:
    """Whether the query at position i may attend to the key at position j, by name of each part of a mask; a mask that
    is not combined is its own part. ValueError: as `grid`."""
    mask, query, key = _known(name, parameters), torch.tensor(i), torch.tensor(j)
    return {
        part.name: bool(part(query, key, **{each: parameters[each] for each in part.parameters}))
        for part in mask.parts or (mask,)
    }


def _known(mask: str | Mask, parameters: dict[str, int]) -> Mask:
    if isinstance(mask, str) and mask not in MASKS:
        raise ValueError(f"unknown mask {mask!r}; one of {', '.join(MASKS)}")
    chosen = MASKS[mask] if isinstance(mask, str) else mask
    if set(parameters) != set(chosen.parameters):
        wanted = ", ".join(chosen.parameters) or "no parameter"
        raise ValueError(f"mask {chosen.name!r} takes {wanted}; got {', '.join(parameters) or 'none'}")
    for name, value in parameters.items():
        if value < (least := 1 if name == "width" else 0):
            raise ValueError(f"{name} of mask {chosen.name!r} must be at least {least}, got {value}")
    return chosen


def flipped(mask: Tensor, cells: Iterable[tuple[int, int]]) -> Tensor:
    """A copy of a bool mask (..., queries, keys) with some (query, key) cells inverted.

    A cell that is listed twice is inverted twice. ValueError: a mask that is not bool, a cell outside the mask.
    """
    if mask.dtype != torch.bool:
        raise ValueError(f"mask must be bool, got {str(mask.dtype).removeprefix('torch.')}")
    queries, keys = mask.shape[-2:]
    copy = mask.clone()
    for query, key in cells:
        if not (0 <= query < queries and 0 <= key < keys):
            raise ValueError(f"cell {(query, key)} lies outside of {queries} queries and {keys} keys")
        copy[..., query, key] ^= True
    return copy


def padding(lengths: Iterable[int], keys: int, *, device: torch.device | str | None = None) -> Tensor:
    """Which keys are tokens and which are padding: bool (batch, 1, 1, keys), True = may attend.

    It hides columns, never rows: a padded query keeps a valid distribution, and its output is not used.
    ValueError: a length below 0 or above `keys`.
    """
    sizes = torch.as_tensor(list(lengths), device=device)
    if ((sizes < 0) | (sizes > keys)).any():
        raise ValueError(f"lengths must lie between 0 and keys = {keys}, got {sizes.tolist()}")
    return (torch.arange(keys, device=device) < sizes[:, None])[:, None, None, :]
