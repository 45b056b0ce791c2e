"""The payload of figures that carry their own words."""

import zlib
from typing import Any


def sent(id: str, title: str, text: str, note: str, kind: str, drawn: Any) -> dict[str, Any]:
    """kind: the key under which the browser finds what is drawn, and by which it tells one figure from another."""
    return {
        "id": id,
        "title": title,
        "text": [text] if text else [],
        "note": note,
        kind: drawn,
        # Tells the browser, which would have to compare the numbers, and the tests what is new.
        "stamp": f"{zlib.crc32(repr(drawn).encode()):08x}",
    }
