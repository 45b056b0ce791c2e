"""A drawing as SVG: text stays text, and text from visitors is escaped."""

import re
from html import escape

from pages.shell.exports.embedded.palettes import FONT
from pages.shell.exports.embedded.picture.drawing import Drawing, Item, Line, Rect, Text

# Characters that XML forbids.
_ILLEGIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def written(drawing: Drawing, title: str, told: str, language: str) -> str:
    """The picture. title, told: its name and its sentence, for screen readers."""
    size = f'width="{drawing.width:g}" height="{drawing.height:g}" viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    # The attribute itself is in double quotes.
    font = FONT.replace('"', "'")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="t d" xml:lang="{language}" '
        f'font-family="{font}">'
        f'<title id="t">{_text(title)}</title><desc id="d">{_text(told)}</desc>'
        f"{''.join(map(_element, drawing.items))}</svg>"
    )


def _element(item: Item) -> str:
    if isinstance(item, Rect):
        place = f'x="{_n(item.x)}" y="{_n(item.y)}" width="{_n(item.width)}" height="{_n(item.height)}"'
        return f"<rect {place} {_painted(item.fill, item.stroke, item.wide)}/>"
    if isinstance(item, Line):
        path = "L".join(f"{_n(x)} {_n(y)}" for x, y in item.points)
        dash = f' stroke-dasharray="{" ".join(f"{one:g}" for one in item.dash)}"' if item.dash else ""
        pale = f' opacity="{item.opacity:g}"' if item.opacity < 1 else ""
        return f'<path d="M{path}" {_painted(item.fill, item.stroke, item.wide)}{dash}{pale} stroke-linejoin="round"/>'
    return _words(item)


def _words(item: Text) -> str:
    turn = f' transform="rotate({item.turn:g} {_n(item.x)} {_n(item.y)})"' if item.turn else ""
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    bold = ' font-weight="600"' if item.bold else ""
    place = f'x="{_n(item.x)}" y="{_n(item.y)}" font-size="{item.size:g}" fill="{item.fill}"'
    return f"<text {place}{anchor}{bold}{turn}>{_text(item.text)}</text>"


def _painted(fill: str, stroke: str, wide: float) -> str:
    line = f' stroke="{stroke}" stroke-width="{_n(wide)}"' if stroke else ""
    return f'fill="{fill or "none"}"{line}'


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _text(plain: str) -> str:
    return escape(_ILLEGIBLE.sub("\ufffd", plain))
