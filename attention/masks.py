"""Masks as predicates on positions: `predicate(i, j)` says whether query i may attend to key j. True = may attend.

The polarity is that of `torch.nn.functional.scaled_dot_product_attention`; the boolean masks of
`torch.nn.MultiheadAttention` mean the opposite.
"""

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor

from attention import checks
from attention.patterns import PATTERNS
from attention.predicates import Mask as Mask
from attention.predicates import Parameter, registered_in

CORNERS = ("upper_left", "lower_right")

# Masks that fit any sentence; those of documents, blocks and trees are in `attention.patterns`.
MASKS: dict[str, Mask] = {}


@registered_in(MASKS)
def full(i: Tensor, j: Tensor) -> Tensor:
    """Every query sees every key.

    ■ ■ ■ ■
    ■ ■ ■ ■
    ■ ■ ■ ■
    """
    return torch.ones_like(i * j, dtype=torch.bool)


@registered_in(MASKS)
def causal(i: Tensor, j: Tensor) -> Tensor:
    """A query sees itself and all earlier keys (Vaswani et al. 2017, section 3.2.3).

    upper_left    lower_right
    ■ · · ·       ■ ■ · ·
    ■ ■ · ·       ■ ■ ■ ·
    ■ ■ ■ ·       ■ ■ ■ ■
    """
    return j <= i


@registered_in(MASKS)
def window(i: Tensor, j: Tensor, width: int) -> Tensor:
    """A query sees the keys less than `width` positions away; width 2:

    ■ ■ · ·
    ■ ■ ■ ·
    · ■ ■ ■

    `causal & window` is the sliding window of width keys, the query's own among them (Beltagy et al. 2020).
    """
    return (i - j).abs() < width


@registered_in(MASKS)
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
    **parameters: Parameter,
) -> Tensor:
    """The mask over positions, bool (queries, keys), True = may attend.

    name: a name in `MASKS` or `PATTERNS`, or a Mask, for instance `MASKS["causal"] & MASKS["window"]`.
    corner: the position of query 0 when queries != keys: `upper_left` aligns it with key 0 (as `is_causal` of
    `torch.nn.functional.scaled_dot_product_attention`), `lower_right` aligns the last query with the last key
    (a KV cache: the queries are the newest positions).
    ValueError: an unknown name, corner or parameter, a missing one, or a size or parameter below its least value.
    """
    chosen = checked(name, queries, keys, corner, parameters)
    i = torch.arange(queries, device=device)[:, None] + position(0, queries, keys, corner)
    j = torch.arange(keys, device=device)[None, :]
    return chosen(i, j, **parameters).expand(queries, keys).contiguous()


def checked(name: str | Mask, queries: int, keys: int, corner: str, parameters: Mapping[str, Parameter]) -> Mask:
    """The mask of a name, for sizes and parameters that are valid. ValueError: as `grid`."""
    chosen = _known(name, parameters)
    checks.positive(queries=queries, keys=keys)
    if corner not in CORNERS:
        raise ValueError(f"unknown corner {corner!r}; one of {', '.join(CORNERS)}")
    return chosen


def position(row: int, queries: int, keys: int, corner: str) -> int:
    """The position among the keys of the query in a row (from 0); below 0 if the query comes before the first key."""
    return row + (keys - queries if corner == "lower_right" else 0)


def verdicts(name: str | Mask, i: int, j: int, **parameters: Parameter) -> dict[str, bool]:
    """Whether each part of a mask, by name, lets the query at position i attend to the key at position j.

    A mask that is not combined is its own part. ValueError: as `grid`.
    """
    mask, query, key = _known(name, parameters), torch.tensor(i), torch.tensor(j)
    return {
        part.name: bool(part(query, key, **{each: parameters[each] for each in part.parameters}))
        for part in mask.parts or (mask,)
    }


def named(mask: str | Mask) -> Mask:
    """The mask of a name. ValueError: no mask has this name."""
    registered = MASKS | PATTERNS
    if not isinstance(mask, (str, Mask)):
        raise ValueError(f"a mask is a Mask or one of {', '.join(registered)}; got {type(mask).__name__}")
    if isinstance(mask, str) and mask not in registered:
        raise ValueError(f"unknown mask {mask!r}; one of {', '.join(registered)}")
    return registered[mask] if isinstance(mask, str) else mask


def _known(mask: str | Mask, parameters: Mapping[str, Parameter]) -> Mask:
    chosen = named(mask)
    chosen.check(parameters)
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
    """The keys that are tokens and not padding: bool (batch, 1, 1, keys), True = may attend.

    It hides columns, never rows: a padded query keeps a valid distribution, and its output is not used. ValueError: a
    length below 0 or above `keys`.
    """
    sizes = torch.as_tensor(list(lengths), device=device)
    if ((sizes < 0) | (sizes > keys)).any():
        raise ValueError(f"lengths must lie between 0 and keys = {keys}, got {sizes.tolist()}")
    return (torch.arange(keys, device=device) < sizes[:, None])[:, None, None, :]
