"""Masks in blocks, as FlexAttention computes with them: full, partial and empty blocks."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from attention.masks import Mask, checked, position
from attention.predicates import Parameter

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask

KINDS = ("empty", "partial", "full")


@dataclass(frozen=True)
class Blocks:
    """The blocks of one sentence and one head of a `BlockMask`.

    kinds: int64 (block rows, block columns), each a place in KINDS. An empty block is skipped; in a full one each query
    sees every key; in a partial one the mask is evaluated. block: queries and keys of a block; size: queries and keys
    of the mask.
    """

    kinds: Tensor
    block: tuple[int, int]
    size: tuple[int, int]

    @property
    def counts(self) -> dict[str, int]:
        """The number of blocks of each kind."""
        return {kind: int((self.kinds == place).sum()) for place, kind in enumerate(KINDS)}

    @property
    def sparsity(self) -> float:
        """The share of empty blocks, from 0 to 1, which is the saved work."""
        return self.counts["empty"] / self.kinds.numel()


def block_mask(
    mask: str | Mask,
    queries: int,
    keys: int,
    *,
    corner: str = "upper_left",
    block: int | tuple[int, int] = 128,
    device: torch.device | str = "cpu",
    **parameters: Parameter,
) -> "BlockMask":
    """A mask for `torch.nn.attention.flex_attention.flex_attention`, the same for all sentences and heads.

    mask, corner, parameters: as in `grid`; block: queries and keys of a block. ValueError: as `grid`.
    """
    # Imported here because FlexAttention takes as long to load as all the rest of the package.
    from torch.nn.attention.flex_attention import create_block_mask

    chosen = checked(mask, queries, keys, corner, parameters)
    mod = chosen.mask_mod(offset=position(0, queries, keys, corner), **parameters)
    return create_block_mask(mod, None, None, queries, keys, device=str(device), BLOCK_SIZE=block)


def blocks(mask: "BlockMask", *, batch: int = 0, head: int = 0) -> Blocks:
    """The full, partial and empty blocks of any `BlockMask`, for one sentence and one head.

    An axis of 1 is the same for all sentences or heads. ValueError: no such sentence or head.
    """
    *lead, queries, keys = mask.shape
    place = []
    for name, index, size in zip(("batch", "head"), (batch, head), lead, strict=True):
        if not 0 <= index < size and size > 1:
            raise ValueError(f"{name} {index} is not in this mask; 0 to {size - 1}")
        place.append(index if size > 1 else 0)
    rows, columns = mask.BLOCK_SIZE
    kinds = torch.zeros(-(-queries // rows), -(-keys // columns), dtype=torch.int64)
    for kind, counts, indices in (
        ("partial", mask.kv_num_blocks, mask.kv_indices),
        ("full", mask.full_kv_num_blocks, mask.full_kv_indices),
    ):
        if counts is None or indices is None:
            continue
        for row, count in enumerate(counts[tuple(place)].tolist()):
            kinds[row, indices[tuple(place)][row, :count].long().cpu()] = KINDS.index(kind)
    return Blocks(kinds, (rows, columns), (queries, keys))


def blocks_of(cells: Tensor, block: int | tuple[int, int]) -> Blocks:
    """The blocks that FlexAttention makes of a mask of cells, bool (queries, keys), without calling a predicate.

    A block that reaches beyond the mask is partial or empty, as in FlexAttention. ValueError: a block below 1, more
    than two axes.
    """
    height, width = (block, block) if isinstance(block, int) else block
    if min(height, width) < 1:
        raise ValueError(f"block must be at least 1, got {min(height, width)}")
    if cells.ndim != 2:
        raise ValueError(f"cells need 2 axes (queries, keys), got shape {tuple(cells.shape)}")
    queries, keys = cells.shape
    padded = torch.nn.functional.pad(cells, (0, -keys % width, 0, -queries % height))
    tiles = padded.unflatten(0, (-1, height)).unflatten(2, (-1, width)).transpose(1, 2).flatten(2)
    kinds = tiles.any(-1).long() + tiles.all(-1).long()
    return Blocks(kinds, (height, width), (queries, keys))
