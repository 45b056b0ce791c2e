"""Named arrays from the bytes of a file, .npz or .safetensors: all sizes are checked before an array is read."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attention.export import npz_file, safetensors_file
from attention.export.unreadable import UnreadableError


@dataclass(frozen=True)
class Limits:
    """Bytes of a file, bytes of its arrays after unpacking, the number of arrays, bytes of a header."""

    file: int = 8_000_000
    unpacked: int = 64_000_000
    arrays: int = 64
    header: int = 100_000


@dataclass(frozen=True)
class Contents:
    """The contents of a file. texts: arrays of strings, or the metadata of a .safetensors file, by name."""

    tensors: Mapping[str, Tensor]
    texts: Mapping[str, tuple[str, ...]]


def read(content: bytes, limits: Limits | None = None) -> Contents:
    """The arrays of a file. Nothing in it is executed; UnreadableError says what is wrong with it.

    limits: None is `Limits()`. In an .npz file of zeros one byte holds a thousand, so the file's own statement of the
    sizes is checked first, and no more than that is unpacked.
    """
    limits = limits or Limits()
    if len(content) > limits.file:
        raise UnreadableError("large", size=f"{len(content):,}", most=f"{limits.file:,}")
    if content.startswith(npz_file.MAGIC):
        found = npz_file.read(content, limits.arrays, limits.unpacked, limits.header)
        texts = {name: _words(array) for name, array in found.items() if array.dtype.kind == "U"}
        arrays = {name: array for name, array in found.items() if array.dtype.kind != "U"}
        return Contents({name: torch.from_numpy(array) for name, array in arrays.items()}, texts)
    tensors, metadata = safetensors_file.read(content, limits.arrays, limits.header)
    return Contents(tensors, {name: (text,) for name, text in metadata.items()})


def _words(array: np.ndarray) -> tuple[str, ...]:
    return tuple(str(word) for word in array.reshape(-1))
