"""A page to print that loads nothing from elsewhere: its head, fonts and styles are in the page itself."""

from pathlib import Path
from string import Template

from pages.shell.exports.html import Markup, joined
from pages.shell.i18n import say

_HERE = Path(__file__)
_PAGE = Template(_HERE.with_suffix(".html").read_text(encoding="utf-8"))
_STYLES = {file.stem: file.read_text(encoding="utf-8") for file in _HERE.parent.glob("*.css")}


def document(kind: str, title: str, content: Markup, language: str, *, pictures: bool = False) -> str:
    """The page. kind: the file that holds its styles, without its ending; pictures: whether its policy lets the
    browser show pictures that stand in the page itself."""
    return _PAGE.substitute(
        language=joined(say("app.language", language)),
        title=joined(title),
        styles=_STYLES[kind],
        content=content,
        images="; img-src data:" if pictures else "",
    )
