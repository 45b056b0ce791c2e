"""Names of rooms: spellings that people take for the same word lead to the same room."""

import unicodedata

# The field under *Teach* takes 24 characters; folding their case makes at most three of one (Unicode, CaseFolding).
MOST_TYPED = 24
LONGEST = 3 * MOST_TYPED


def normalised(name: str) -> str:
    """The name in NFC, without case and surrounding space. ValueError: it is empty, too long or has characters that
    cannot be typed."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold().strip())
    if not folded or len(folded) > LONGEST or not folded.isprintable():
        raise ValueError(f"a room has a name of 1 to {MOST_TYPED} printable characters")
    return folded


def of_reader(name: str) -> str:
    """The room that a reader's setting names, "" for none."""
    try:
        return normalised(name)
    except ValueError:
        return ""
