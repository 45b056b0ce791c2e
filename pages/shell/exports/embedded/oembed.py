"""The oEmbed answer, which tells a site how to embed a figure whose address somebody has pasted there (oembed.com)."""

from typing import Any
from urllib.parse import urlencode

from pages.shell.exports.embedded.figure import Figure
from pages.shell.exports.html import tag
from pages.shell.i18n import say

# Pixels of an embedded figure, unless the site asks for less.
WIDTH, HEIGHT = 800, 480
LEAST = 120
# A day: only another version of the app changes the figure at an address.
_AGE = 86_400


def link(root: str, figure: Figure) -> str:
    """The address of the oEmbed answer for a figure. root: the app's address, with a slash at its end."""
    return f"{root}oembed?{urlencode({'url': address(root, figure), 'format': 'json'})}"


def address(root: str, figure: Figure) -> str:
    query = urlencode(figure.came)
    return f"{root}figure/{figure.name}{'?' if query else ''}{query}"


def made(root: str, figure: Figure, width: int, height: int) -> dict[str, Any]:
    """The answer. width, height: the room for the figure, in pixels."""
    wide, high = max(min(width, WIDTH), LEAST), max(min(height, HEIGHT), LEAST)
    frame = tag(
        "iframe",
        src=address(root, figure),
        title=figure.title,
        width=str(wide),
        height=str(high),
        style="border:0",
        loading="lazy",
    )
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": say("app.title", figure.language),
        "provider_url": root,
        "title": figure.title,
        "cache_age": _AGE,
        "width": wide,
        "height": high,
        "html": frame,
    }
