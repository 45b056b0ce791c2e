"""The shapes and texts of a picture, in pixels from its upper left corner, and the estimated widths of its texts."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

Point = tuple[float, float]


@dataclass(frozen=True)
class Rect:
    """A rectangle. fill, stroke: a colour, empty for none."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    wide: float = 1


@dataclass(frozen=True)
class Line:
    """A line through points. dash: the lengths of its pieces and gaps, empty for a solid line; fill: the colour of the
    area inside the line, empty for none."""

    points: Sequence[Point]
    stroke: str
    wide: float = 1
    dash: tuple[float, ...] = ()
    fill: str = ""
    opacity: float = 1


@dataclass(frozen=True)
class Text:
    """A text line. y: that of its base line; anchor: start, middle or end; turn: degrees around the anchor,
    clockwise."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    bold: bool = False
    turn: float = 0


Item = Rect | Line | Text


@dataclass
class Drawing:
    """Items in drawing order; later ones cover earlier ones."""

    width: float
    height: float = 0
    items: list[Item] = field(default_factory=list)

    def add(self, *items: Item) -> None:
        self.items.extend(items)

    def place(self, other: "Drawing", x: float, y: float) -> None:
        """Add all items of another drawing, with its corner at a point of this one."""
        self.items.extend(_moved(item, x, y) for item in other.items)


def _moved(item: Item, x: float, y: float) -> Item:
    if isinstance(item, Line):
        return replace(item, points=[(left + x, top + y) for left, top in item.points])
    return replace(item, x=item.x + x, y=item.y + y)


def long(text: str, size: float, *, bold: bool = False) -> float:
    """The approximate width of a text in pixels, in a font of usual width, since the viewer's font is unknown."""
    ems = sum(1.0 if unicodedata.east_asian_width(one) in "WF" else _narrow(one) for one in text)
    return ems * size * (1.06 if bold else 1)


def _narrow(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if letter in "ijl.,:;'|!ftrI()[] ":
        return 0.38
    return 0.95 if letter in "mwMW@%—→" else 0.63


def cut(text: str, size: float, room: float) -> str:
    """The text, with an ellipsis in place of its end if it is too long."""
    if long(text, size) <= room:
        return text
    while text and long(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


def lines(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """The text in lines that fit; a line may break between any two Chinese characters."""
    found = [""]
    for word in _words(text):
        if found[-1] and long((found[-1] + word).rstrip(), size, bold=bold) > room:
            found.append("")
        found[-1] += word.lstrip() if not found[-1] else word
    return [line.rstrip() for line in found if line.strip()]


def _words(text: str) -> list[str]:
    """Pieces of a text; a line may break after each."""
    pieces = [""]
    for letter in " ".join(text.split()):
        pieces[-1] += letter
        if letter == " " or unicodedata.east_asian_width(letter) in "WF":
            pieces.append("")
    return pieces
