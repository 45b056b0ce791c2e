"""Nested normal numbers: a larger vector or matrix contains the numbers of a smaller one in the same places."""

import hashlib
import math

import torch
from torch import Tensor

# `torch.randn` draws in blocks of 16: an incomplete block has other numbers.
_BLOCK = 16
# Numbers of a row per generator: few generators for wide rows, few wasted numbers for short ones.
_STRETCH = 64


def fill(into: Tensor, key: str) -> None:
    """Write numbers N(0, 1) into a tensor (blocks, rows, columns); each depends on the key and its place alone."""
    for block, matrix in enumerate(into):
        for number, part in enumerate(matrix.split(_STRETCH, -1)):
            rows, columns = part.shape
            part.copy_(normal(f"{key}/{block}/{number}", rows * _STRETCH).view(rows, _STRETCH)[:, :columns])


def normal(key: str, count: int) -> Tensor:
    """The first numbers (count,) of the sequence N(0, 1) that belongs to the key."""
    seed = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=7).digest(), "big")
    whole = math.ceil(count / _BLOCK) * _BLOCK
    return torch.randn(whole, generator=torch.Generator().manual_seed(seed))[:count]
