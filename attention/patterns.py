"""Masks that use more than the order of positions: documents, blocks, a canvas, a tree.

Predicates as in `attention.masks`, whose functions accept these names as well. `lengths` and `parents` are tuples.
"""

import torch
from torch import Tensor

from attention.predicates import Mask, registered_in

PATTERNS: dict[str, Mask] = {}


@registered_in(PATTERNS)
def documents(i: Tensor, j: Tensor, lengths: tuple[int, ...]) -> Tensor:
    """A query sees the keys of its own document; positions after the last length are one more document. lengths (1, 2):

    ■ · · ·
    · ■ ■ ·
    · ■ ■ ·
    """
    ends = torch.tensor(lengths, device=i.device).cumsum(0)
    return (i[..., None] >= ends).sum(-1) == (j[..., None] >= ends).sum(-1)


@registered_in(PATTERNS)
def sinks(i: Tensor, j: Tensor, length: int) -> Tensor:
    """A query sees the first `length` keys; length 1:

    ■ · · ·
    ■ · · ·
    ■ · · ·

    `causal & (window | sinks)` is the mask of StreamingLLM (Xiao et al. 2023).
    """
    return j < length


@registered_in(PATTERNS)
def dilated(i: Tensor, j: Tensor, step: int, reach: int) -> Tensor:
    """A query sees each key that is a multiple of `step` away, and less than `reach`; step 2, reach 3:

    ■ · ■ ·
    · ■ · ■
    ■ · ■ ·

    The dilated window of Beltagy et al. 2020, section 3.1.
    """
    return ((i - j) % step == 0) & ((i - j).abs() < reach)


@registered_in(PATTERNS)
def chunks(i: Tensor, j: Tensor, chunk: int) -> Tensor:
    """A query sees the keys of its own chunk, as the local layers of Llama 4 (2025) do under a causal mask; chunk 2:

    ■ ■ · ·
    ■ ■ · ·
    · · ■ ■
    """
    return i // chunk == j // chunk


@registered_in(PATTERNS)
def block_causal(i: Tensor, j: Tensor, chunk: int) -> Tensor:
    """A query sees its own chunk whole, and earlier ones: block diffusion as it writes (Arriola et al. 2025); chunk 2:

    ■ ■ · ·
    ■ ■ · ·
    ■ ■ ■ ■
    """
    return j // chunk <= i // chunk


@registered_in(PATTERNS)
def block_diffusion(i: Tensor, j: Tensor, chunk: int, noised: int) -> Tensor:
    """Block diffusion as it is trained: `noised` positions with noise, then the same ones without; chunk 1, noised 2:

    ■ · · ·
    · ■ ■ ·
    · · ■ ·

    A position with noise sees its own chunk with noise, and earlier chunks without noise. A position without noise sees
    chunks without noise, up to its own (Arriola et al. 2025, section 4.1).
    """
    b_i, b_j, noise_i, noise_j = i % noised // chunk, j % noised // chunk, i < noised, j < noised
    return (
        ((b_i == b_j) & noise_i & noise_j) | ((b_i > b_j) & noise_i & ~noise_j) | ((b_i >= b_j) & ~noise_i & ~noise_j)
    )


@registered_in(PATTERNS)
def neighbourhood(i: Tensor, j: Tensor, kernel: int, size: int) -> Tensor:
    """A query sees the `kernel` keys around it among `size`; at an edge the window shifts, and does not shrink
    (Hassani et al. 2022); kernel 3, size 4:

    ■ ■ ■ ·
    ■ ■ ■ ·
    · ■ ■ ■
    """
    start = (i - kernel // 2).clamp(0, max(size - kernel, 0))
    return (start <= j) & (j < start + kernel)


@registered_in(PATTERNS)
def neighbourhood_2d(i: Tensor, j: Tensor, kernel: int, rows: int, columns: int) -> Tensor:
    """`neighbourhood` in rows and in columns of a canvas that is read row by row; kernel 1, rows 2, columns 2:

    ■ · · ·
    · ■ · ·
    · · ■ ·
    """
    down = neighbourhood(i // columns, j // columns, kernel=kernel, size=rows)
    return down & neighbourhood(i % columns, j % columns, kernel=kernel, size=columns)


@registered_in(PATTERNS)
def tree(i: Tensor, j: Tensor, length: int, parents: tuple[int, ...]) -> Tensor:
    """Causal up to `length`. Nodes follow; each sees the first `length` keys, the nodes above it and itself; length 1,
    parents (-1, -1, 0):

    ■ · · ·
    ■ ■ · ·
    ■ · ■ ·

    parents: for each node the index of the node above it, from 0, or -1 for none. Speculative decoding checks several
    continuations at once with such a tree (Miao et al. 2023, SpecInfer). A position behind the last node sees the first
    `length` keys and itself.
    """
    above, last = _ancestors(parents, i.device), len(parents) - 1
    node_i, node_j = i - length, j - length
    inside = (node_i >= 0) & (node_j >= 0) & (node_i <= last) & (node_j <= last)
    return ((j <= i) & (j < length)) | (i == j) | (inside & above[node_i.clamp(0, last), node_j.clamp(0, last)])


def _ancestors(parents: tuple[int, ...], device: torch.device) -> Tensor:
    """Bool (nodes, nodes), True where the node of the column is above the node of the row."""
    above = torch.zeros(len(parents), len(parents), dtype=torch.bool)
    for node, parent in enumerate(parents):
        if parent >= 0:
            above[node] = above[parent]
            above[node, parent] = True
    return above.to(device)
