"""Text of visitors in Markdown: as code, or with everything escaped."""

import re

# Letters of a word that is written out in a sentence.
MOST = 40


def plain(text: str) -> str:
    """Escape everything that Markdown would read."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])", r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """Write text as code, in which Markdown reads nothing; "" where there is nothing to see.

    Any end of a line, a carriage return among them, and two of them are the end of a paragraph, and of the code in it.
    """
    shown = re.sub(r"[\s\x00]", " ", text.replace("`", "'"))
    return f"`{shown}`" if shown.strip() else ""


def quoted(text: str, most: int = MOST) -> str:
    """Write text as code, cut after `most` characters; an empty pair of marks where there is nothing to see."""
    return code(cut(text, most)) or "``"


def in_table(text: str, most: int | None = None) -> str:
    """Write text as code for a cell of a table, which a bar would end. most: as in `quoted`, None for all of it."""
    return code(cut(text, most).replace("|", "¦")) or "``"


def cut(text: str, most: int | None = MOST) -> str:
    """The first `most` characters, all of them for None."""
    return text if most is None or len(text) <= most else f"{text[:most]}…"
