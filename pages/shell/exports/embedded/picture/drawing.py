"""What a picture is made of, in pixels from its upper left corner, and how long its texts are."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

Point = tuple[float, float]


@dataclass(frozen=True)
class Rect:
    """fill, stroke: a colour, empty for none."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    wide: float = 1


@dataclass(frozen=True)
class Line:
    """Points that a line joins. dash: lengths of its pieces and of the gaps between them, empty for a whole one; fill:
    the colour of what the line goes around, empty for none."""

    points: Sequence[Point]
    stroke: str
    wide: float = 1
    dash: tuple[float, ...] = ()
    fill: str = ""
    opacity: float = 1


@dataclass(frozen=True)
class Text:
    """A line of text. y: of its base line; anchor: start, middle or end; turn: degrees around that, clockwise."""

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
    """Items in the order in which they cover each other."""

    width: float
    height: float = 0
    items: list[Item] = field(default_factory=list)

    def add(self, *items: Item) -> None:
        self.items.extend(items)

    def place(self, other: "Drawing", x: float, y: float) -> None:
        """All of another drawing, with its corner at a point of this one."""
        self.items.extend(_moved(item, x, y) for item in other.items)


def _moved(item: Item, x: float, y: float) -> Item:
    if isinstance(item, Line):
        return replace(item, points=[(left + x, top + y) for left, top in item.points])
    return replace(item, x=item.x + x, y=item.y + y)


def long(text: str, size: float, *, bold: bool = False) -> float:
    """About how many pixels a text takes, in a font of usual width: the viewer's is not known."""
    ems = sum(1.0 if unicodedata.east_asian_width(one) in "WF" else _narrow(one) for one in text)
    return ems * size * (1.06 if bold else 1)


def _narrow(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if letter in "ijl.,:;'|!ftrI()[] ":
        return 0.38
    return 0.95 if letter in "mwMW@%—→" else 0.63


def cut(text: str, size: float, room: float) -> str:
    """A text, with an ellipsis in place of its end where that does not fit."""
    if long(text, size) <= room:
        return text
    while text and long(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


def lines(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """A text in lines that fit; between Chinese characters it may part anywhere."""
    found = [""]
    for word in _words(text):
        if found[-1] and long((found[-1] + word).rstrip(), size, bold=bold) > room:
            found.append("")
        found[-1] += word.lstrip() if not found[-1] else word
    return [line.rstrip() for line in found if line.strip()]


def _words(text: str) -> list[str]:
    """Pieces after which a line may end."""
    pieces = [""]
    for letter in " ".join(text.split()):
        pieces[-1] += letter
        if letter == " " or unicodedata.east_asian_width(letter) in "WF":
            pieces.append("")
    return pieces
