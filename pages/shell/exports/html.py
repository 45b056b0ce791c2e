"""HTML elements: content that is not markup is text, and is escaped."""

from html import escape


class Markup(str):
    """HTML or MathML made by the app, which is inserted unescaped."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str) -> Markup:
    """An element with its content. The name of an attribute that Python reserves ends with an underscore (`class_`)."""
    written = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{written}>{joined(*content)}</{name}>")


def joined(*content: str) -> Markup:
    """Pieces joined as markup."""
    return Markup("".join(piece if isinstance(piece, Markup) else escape(piece) for piece in content))
