"""Tensors as a .safetensors file, and back: a length, a header in JSON, and the bytes of the tensors.

The format is that of https://github.com/huggingface/safetensors. The package reads it without that library, which it
would need for a hundred lines; tests exchange files with the library in both directions.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attention.export.unreadable import UnreadableError, quoted

_METADATA = "__metadata__"
_DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "I32": torch.int32,
    "I64": torch.int64,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F32": torch.float32,
    "F64": torch.float64,
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_LENGTH = 8


def read(content: bytes, most_tensors: int, most_header: int) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors and the metadata by name. UnreadableError: too many, damaged, or not such a file."""
    length = int.from_bytes(content[:_LENGTH], "little")
    if len(content) < _LENGTH + 2 or content[_LENGTH : _LENGTH + 1] != b"{":
        raise UnreadableError("kind")
    if length > most_header:
        raise UnreadableError("header", size=f"{length:,}", most=f"{most_header:,}")
    header = _header(content[_LENGTH : _LENGTH + length])
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise UnreadableError("damaged", where=_METADATA)
    if len(header) > most_tensors:
        raise UnreadableError("count", count=len(header), most=most_tensors)
    data = memoryview(content)[_LENGTH + length :]
    placed = {name: _placed(name, said) for name, said in header.items()}
    # Tensors follow each other without gaps, so none of them can overlap another.
    end = 0
    for name, (_, _, start, stop) in sorted(placed.items(), key=lambda one: one[1][2:]):
        if start != end:
            raise UnreadableError("sizes", name=quoted(name))
        end = stop
    if end != len(data):
        raise UnreadableError("damaged", where=f"{len(data):,} ≠ {end:,}")
    return {name: _tensor(data[at:stop], dtype, sizes) for name, (dtype, sizes, at, stop) in placed.items()}, metadata


def _header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError("damaged", where="JSON") from error
    if not isinstance(header, dict):
        raise UnreadableError("damaged", where="JSON")
    return header


def _placed(name: str, said: Any) -> tuple[torch.dtype, list[int], int, int]:
    """The dtype, the sizes and the first and the last byte of a tensor, which fit together."""
    if not isinstance(said, dict):
        raise UnreadableError("damaged", where=quoted(name))
    described, shape, offsets = said.get("dtype"), _counts(said.get("shape")), _counts(said.get("data_offsets"))
    if not isinstance(described, str) or described not in _DTYPES:
        raise UnreadableError("dtype", name=quoted(name), dtype=quoted(described), choices=", ".join(_DTYPES))
    if shape is None or offsets is None or len(shape) > 8 or len(offsets) != 2:
        raise UnreadableError("sizes", name=quoted(name))
    dtype, (start, stop) = _DTYPES[described], offsets
    if stop - start != math.prod(shape) * dtype.itemsize:
        raise UnreadableError("sizes", name=quoted(name))
    return dtype, shape, start, stop


def _counts(said: Any) -> list[int] | None:
    """The value as a list of whole numbers of at least 0; None for any other value."""
    # Python takes True for 1.
    is_one = isinstance(said, list) and all(type(one) is int and 0 <= one < 2**40 for one in said)
    return said if is_one else None


def _tensor(data: memoryview, dtype: torch.dtype, shape: list[int]) -> Tensor:
    if dtype == torch.bool:
        # Any other byte than 0 is True; torch would keep the byte.
        return torch.from_numpy(np.frombuffer(data, np.uint8) != 0).reshape(shape)
    flat = torch.frombuffer(bytearray(data), dtype=dtype) if len(data) else torch.empty(0, dtype=dtype)
    return flat.reshape(shape)


def written(tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> bytes:
    """The bytes of a file. ValueError: a tensor whose dtype the format lacks."""
    header: dict[str, Any] = {_METADATA: dict(metadata)}
    parts, end = [], 0
    for name, tensor in tensors.items():
        if tensor.dtype not in _NAMES:
            raise ValueError(
                f"tensor {name!r} has the dtype {tensor.dtype}; one of {', '.join(_DTYPES)} can be written"
            )
        flat = tensor.detach().cpu().contiguous().reshape(-1)
        parts.append(flat.view(torch.uint8).numpy().tobytes())
        said = {"dtype": _NAMES[tensor.dtype], "shape": list(tensor.shape)}
        header[name] = said | {"data_offsets": [end, end + len(parts[-1])]}
        end += len(parts[-1])
    text = json.dumps(header, ensure_ascii=False).encode()
    # The data begins at a multiple of eight bytes.
    text += b" " * (-len(text) % _LENGTH)
    return len(text).to_bytes(_LENGTH, "little") + text + b"".join(parts)
