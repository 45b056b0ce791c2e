"""Numbers that were typed over by hand as a text for the URL: nine bytes each, packed, with a checksum.

An edit belongs to the preset that it was made on, since other presets have other matrices.
"""

import base64
import re
import zlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from attention.inputs.edits import MATRICES, Typed

# A link stores the index of a preset: add a new one at the end, or old links mean something else.
PRESETS = ("story", "notebook", "token_by_token", "random", "learned")
# SIDE: most rows and columns of a grid that can be typed into. MOST: most numbers that a link carries.
SIDE, MOST = 16, 512
# Far below the numbers at which scores in float32 overflow.
LARGEST = 1000.0
_EDIT = np.dtype([*((name, "u1") for name in ("preset", "matrix", "block", "row", "column")), ("value", ">f4")])
_LIMITS = {"preset": len(PRESETS), "matrix": len(MATRICES), "block": SIDE, "row": SIDE, "column": SIDE}
_BYTES = MOST * _EDIT.itemsize
# For incompressible data zlib adds five bytes a block and six at the ends.
LONGEST = -(-(_BYTES + 16) * 4 // 3)


class Edit(NamedTuple):
    preset: str
    typed: Typed


def edits(text: str) -> tuple[Edit, ...]:
    """The edits of a text, in order; none if it is damaged, or not in the form that `text` writes."""
    found = _unpacked(text)
    if found is None or any((found[name] >= limit).any() for name, limit in _LIMITS.items()):
        return ()
    if not (np.abs(found["value"]) <= LARGEST).all():
        return ()
    read = tuple(
        Edit(PRESETS[preset], Typed(MATRICES[matrix], block, row, column, value))
        for preset, matrix, block, row, column, value in found.tolist()
    )
    return read if read == _sorted(read) else ()


def of(text: str, preset: str) -> tuple[Typed, ...]:
    """The edits of a text that concern the matrices of a preset."""
    return tuple(edit.typed for edit in edits(text) if edit.preset == preset)


def text(edited: Iterable[Edit]) -> str:
    """The text of these edits, of which the last at a place counts. ValueError: more than MOST, one out of range."""
    found = _sorted(edited)
    if len(found) > MOST:
        raise ValueError(f"at most {MOST} numbers, got {len(found)}")
    if not found:
        return ""
    rows = [(PRESETS.index(e.preset), MATRICES.index(e.typed.matrix), *e.typed[1:]) for e in found]
    for row in rows:
        if any(not 0 <= place < limit for place, limit in zip(row, _LIMITS.values(), strict=False)):
            raise ValueError(f"a place must lie within {tuple(_LIMITS.values())}, got {row[:-1]}")
        if not abs(row[-1]) <= LARGEST:
            raise ValueError(f"numbers must lie between -{LARGEST:g} and {LARGEST:g}, got {row[-1]}")
    # All first bytes, then all second bytes and so on: equal bytes become neighbours, which pack better.
    planes = np.array(rows, dtype=_EDIT).view(np.uint8).reshape(len(rows), -1).T
    return base64.urlsafe_b64encode(zlib.compress(planes.tobytes(), 9)).decode().rstrip("=")


def _sorted(edited: Iterable[Edit]) -> tuple[Edit, ...]:
    last = {(PRESETS.index(e.preset), MATRICES.index(e.typed.matrix), *e.typed[1:-1]): e for e in edited}
    return tuple(last[place] for place in sorted(last))


def _unpacked(text: str) -> np.ndarray | None:
    """The records of an untrusted text, unpacked to at most MOST of them; None if it has none."""
    if len(text) > LONGEST or not re.fullmatch("[A-Za-z0-9_-]+", text) or len(text) % 4 == 1:
        return None
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), _BYTES + 1)
    except zlib.error:
        return None
    if not reader.eof or reader.unused_data or not data or len(data) % _EDIT.itemsize:
        return None
    planes = np.frombuffer(data, dtype=np.uint8).reshape(_EDIT.itemsize, -1)
    return np.ascontiguousarray(planes.T).view(_EDIT).ravel()
