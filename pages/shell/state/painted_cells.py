"""Cells of a mask that were painted by hand, as a text for the URL: two characters per cell, its query and its key."""

import string

_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
SIZE = len(_ALPHABET)

Cell = tuple[int, int]


def cells(text: str) -> tuple[Cell, ...]:
    """The positions (query, key), in order, that a text names an odd number of times: painting twice undoes itself.

    A pair with an unknown character does not count, nor does a last character without a partner.
    """
    found: set[Cell] = set()
    for query, key in zip(text[::2], text[1::2], strict=False):
        if query in _ALPHABET and key in _ALPHABET:
            found ^= {(_ALPHABET.index(query), _ALPHABET.index(key))}
    return tuple(sorted(found))


def text(painted: tuple[Cell, ...]) -> str:
    """The one text of these cells. ValueError: a position that has no character."""
    for cell in painted:
        if not all(0 <= position < SIZE for position in cell):
            raise ValueError(f"positions must lie between 0 and {SIZE - 1}, got {cell}")
    return "".join(_ALPHABET[query] + _ALPHABET[key] for query, key in sorted(set(painted)))
