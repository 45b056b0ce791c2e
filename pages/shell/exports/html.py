"""HTML elements: anything that is not already markup is text, and is escaped."""

from html import escape


class Markup(str):
    """HTML or MathML of our own, which is put in as it is."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str) -> Markup:
    """An element with its content; an attribute that Python keeps for itself has a low line at its end (`class_`)."""
    written = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{written}>{joined(*content)}</{name}>")


def joined(*content: str) -> Markup:
    """Pieces one after the other."""
    return Markup("".join(piece if isinstance(piece, Markup) else escape(piece) for piece in content))
