"""The arrays of an .npz file from its bytes, without NumPy's own reader, which unpacks before it knows how much.

The format: a zip archive with a .npy file for each array (numpy.lib.format), whose header is the text of a dictionary.
The header is matched against the one form in which NumPy writes it, and is never evaluated.
"""

import io
import math
import re
import struct
import zipfile
import zlib

import numpy as np

from attention.export.unreadable import UnreadableError, quoted

MAGIC = b"PK\x03\x04"
_NPY = b"\x93NUMPY"
_HEADER = re.compile(
    r"\{'descr': '([^']{1,20})', 'fortran_order': (True|False), 'shape': \(((?:\d{1,12}(?:, ?|(?=\))))*)\), ?\}\s*"
)
# Numbers and strings only: Python would have to build objects for other dtypes.
_DTYPES = re.compile(r"[<|=](?:f[248]|b1|[iu][1248]|U\d{1,7})")
_CHOICES = "float16, float32, float64, bool, integers, strings"
_STORED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1


def read(content: bytes, most_arrays: int, most_bytes: int, most_header: int) -> dict[str, np.ndarray]:
    """The arrays by name. UnreadableError: too many, too large, damaged, or of a kind that is not read."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > most_arrays:
                raise UnreadableError("count", count=len(entries), most=most_arrays)
            unpacked = sum(entry.file_size for entry in entries)
            if unpacked > most_bytes:
                raise UnreadableError("unpacked", size=f"{unpacked:,}", most=f"{most_bytes:,}")
            return {entry.filename.removesuffix(".npy"): _array(archive, entry, most_header) for entry in entries}
    except UnreadableError:
        raise
    # Errors of `zipfile` for damaged archives.
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise UnreadableError("damaged", where=type(error).__name__) from error


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most_header: int) -> np.ndarray:
    name = quoted(entry.filename.removesuffix(".npy"))
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _STORED:
        raise UnreadableError("packing", name=name)
    # Reads no more than the directory says, even if the stream goes on.
    with archive.open(entry) as file:
        content = file.read(entry.file_size)
    major = content[6:7]
    if not content.startswith(_NPY) or major not in (b"\x01", b"\x02", b"\x03") or len(content) < 12:
        raise UnreadableError("damaged", where=name)
    start = 10 if major == b"\x01" else 12
    length = int.from_bytes(content[8:start], "little")
    if length > most_header:
        raise UnreadableError("header", size=f"{length:,}", most=f"{most_header:,}")
    found = _HEADER.fullmatch(content[start : start + length].decode("latin-1"))
    if found is None:
        raise UnreadableError("damaged", where=name)
    described, is_fortran, sizes = found.groups()
    if described.endswith("O"):
        raise UnreadableError("pickled", name=name)
    if not _DTYPES.fullmatch(described):
        raise UnreadableError("dtype", name=name, dtype=quoted(described), choices=_CHOICES)
    dtype, shape = np.dtype(described), tuple(int(size) for size in re.findall(r"\d+", sizes))
    data = memoryview(content)[start + length :]
    if len(shape) > 8 or math.prod(shape) * dtype.itemsize != len(data):
        raise UnreadableError("sizes", name=name)
    if not dtype.itemsize:
        return np.empty(shape, dtype)
    if dtype.kind == "b":
        # Any other byte than 0 is True; NumPy would keep the byte.
        truths: np.ndarray = np.frombuffer(data, np.uint8) != 0
        return truths.reshape(shape, order="F" if is_fortran == "True" else "C")
    # A copy can be written to, and releases the rest of the file.
    array = np.frombuffer(data, dtype).reshape(shape, order="F" if is_fortran == "True" else "C").copy("C")
    if dtype.kind == "U" and array.size and int(array.reshape(-1).view(np.uint32).max()) > 0x10FFFF:
        raise UnreadableError("damaged", where=name)
    return array
