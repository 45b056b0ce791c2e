"""Normal numbers that stay where they are when more are drawn: of a vector, of a matrix in rows and columns."""

import hashlib
import math

import torch
from torch import Tensor

# `torch.randn` draws in blocks of 16: a block that is not full has other numbers.
_BLOCK = 16
# Numbers of a row that one generator draws: few generators for wide rows, few numbers for nothing for short ones.
_STRETCH = 64


def fill(into: Tensor, key: str) -> None:
    """Write numbers N(0, 1) into a tensor (blocks, rows, columns); each depends on the key and its place alone."""
    for block, matrix in enumerate(into):
        for number, part in enumerate(matrix.split(_STRETCH, -1)):
            rows, columns = part.shape
            part.copy_(normal(f"{key}/{block}/{number}", rows * _STRETCH).view(rows, _STRETCH)[:, :columns])


def normal(key: str, count: int) -> Tensor:
    """The first numbers (count,) of a sequence N(0, 1) that is the key's own."""
    seed = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=7).digest(), "big")
    whole = math.ceil(count / _BLOCK) * _BLOCK
    return torch.randn(whole, generator=torch.Generator().manual_seed(seed))[:count]
