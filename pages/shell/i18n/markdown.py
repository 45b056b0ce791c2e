"""Text of visitors in Markdown: as code, or with everything escaped."""

import re

# The most characters of a word that are shown in a sentence.
MOST = 40


def plain(text: str) -> str:
    """Escape everything that Markdown would read."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])", r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """Write text as code, in which Markdown reads nothing; "" if no character is visible.

    Line ends, carriage returns included, become spaces, because two of them end the paragraph and its code.
    """
    shown = re.sub(r"[\s\x00]", " ", text.replace("`", "'"))
    return f"`{shown}`" if shown.strip() else ""


def quoted(text: str, most: int = MOST) -> str:
    """Write text as code, cut after `most` characters; an empty pair of marks if no character is visible."""
    return code(cut(text, most)) or "``"


def in_table(text: str, most: int | None = None) -> str:
    """Write text as code for a table cell, which a bar would end. most: as in `quoted`, None for all of the text."""
    return code(cut(text, most).replace("|", "¦")) or "``"


def cut(text: str, most: int | None = MOST) -> str:
    """The first `most` characters, all of them for None."""
    return text if most is None or len(text) <= most else f"{text[:most]}…"
