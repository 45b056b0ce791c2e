"""Tensors as Python expressions that restore them bit by bit."""

import base64
import math
import zlib

import numpy as np
import torch
from torch import Tensor

# Larger tensors are packed, because nobody reads so many numbers.
READABLE = 1024

# The Python code that packed tensors need before them.
UNPACK = """\
def unpacked(text, dtype, *shape):
    data = bytearray(zlib.decompress(base64.b64decode(text)))
    return torch.frombuffer(data, dtype=dtype).reshape(shape)
"""


def literal(value: Tensor) -> str:
    """A Python expression for a tensor; it needs `torch`, `math` if a number is not finite, and `UNPACK` if packed.

    Up to READABLE numbers are written as decimals, one line per row, the shortest with the same bits (any NaN for NaN).
    More are packed: their bytes in zlib's format, in base64. Leading axes along which nothing changes are written once
    and expanded. A tensor without axes is the bare number.
    ValueError: a dtype that is neither bool nor floating.
    """
    if value.dtype != torch.bool and not value.is_floating_point():
        raise ValueError(f"dtype {value.dtype} has no literal; bool or floating")
    whole = value.detach().cpu().contiguous()
    if whole.ndim == 0:
        return _numbers(whole.reshape(1))[0]
    narrow = _narrowed(whole)
    text = _packed(narrow) if narrow.numel() > READABLE else _readable(narrow)
    return text if narrow.shape == whole.shape else f"{text}.expand{tuple(whole.shape)}"


def _narrowed(value: Tensor) -> Tensor:
    """The tensor with size 1 on each leading axis that repeats the same bits."""
    for axis in range(value.ndim - 2):
        first, bits = value.narrow(axis, 0, 1), value.view(torch.uint8)
        if torch.equal(bits, bits.narrow(axis, 0, 1).expand_as(bits)):
            value = first.contiguous()
    return value


def _readable(value: Tensor) -> str:
    dtype = f"dtype={value.dtype}"
    if value.ndim == 1:
        return f"torch.tensor([{', '.join(_numbers(value))}], {dtype})"
    if not value.numel():
        return f"torch.empty({tuple(value.shape)}, {dtype})"
    rows = value.reshape(-1, value.shape[-1])
    text = "".join(f"    [{', '.join(_numbers(row))}],\n" for row in rows)
    return f"torch.tensor([\n{text}], {dtype})" + ("" if value.ndim == 2 else f".reshape{tuple(value.shape)}")


def _numbers(row: Tensor) -> list[str]:
    if row.dtype == torch.bool:
        return [str(int(number)) for number in row.tolist()]
    if row.dtype == torch.float32:
        return [_float32(number) for number in row.numpy()]
    return [_float(number) for number in row.tolist()]


def _float32(number: np.float32) -> str:
    """The shortest decimal, unless rounding it to double first would give a neighbour."""
    short = str(number)
    return short if math.isfinite(number) and np.float32(float(short)) == number else _float(float(number))


def _float(number: float) -> str:
    return repr(number) if math.isfinite(number) else repr(number).replace("inf", "math.inf").replace("nan", "math.nan")


def _packed(value: Tensor) -> str:
    data = value.view(torch.uint8).numpy().tobytes()
    # A keep-mask shrinks to a tenth; other numbers hardly shrink, and take a second for every ten megabytes.
    lines = base64.encodebytes(zlib.compress(data, int(value.dtype == torch.bool))).decode()
    shape = ", ".join(map(str, value.shape))
    return f'unpacked("""\n{lines}""", {value.dtype}, {shape})'
