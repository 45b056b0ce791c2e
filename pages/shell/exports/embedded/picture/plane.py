"""Vectors in the plane: words with circles as large as their weights, the query and the output."""

import math
from typing import Any

from pages.shell.exports.embedded.picture.drawing import Drawing, Line, Point, Text
from pages.shell.exports.embedded.picture.style import Style
from pages.shell.i18n.numbers import fixed

_TYPE, _MOST = 12, 340.0
# Pixels of a word's circle if the word has all the weight.
_LARGEST = 34


def drawn(vectors: dict[str, Any], style: Style, width: float) -> Drawing:
    size = min(width, _MOST)
    far = max(vectors["longest"], *(abs(one) for point in vectors["points"] for one in point)) * 1.2
    centre = (width / 2, size / 2)

    def at(point: tuple[float, float]) -> Point:
        return centre[0] + point[0] / far * size / 2, centre[1] - point[1] / far * size / 2

    picture = Drawing(width, size)
    start = (width - size) / 2
    picture.add(Line([(start, centre[1]), (start + size, centre[1])], style.grid))
    picture.add(Line([(centre[0], 0), (centre[0], size)], style.grid))
    for place, (token, point, weight) in enumerate(
        zip(vectors["tokens"], vectors["points"], vectors["weights"], strict=True)
    ):
        end, colour = at(point), style.series(place)
        picture.add(Line([centre, end], colour, 1 + 3 * weight))
        picture.add(Line(_circle(end, 3 + _LARGEST / 2 * math.sqrt(weight)), colour, fill=colour, opacity=0.35))
        picture.add(Text(end[0], end[1] - 12, f"{token} {fixed(weight)}", _TYPE, colour, "middle", bold=True))
    angle, length = vectors["query"]
    tip = at((length * math.cos(math.radians(angle)), length * math.sin(math.radians(angle))))
    picture.add(Line([centre, tip], style.text, 4), Text(tip[0] + 6, tip[1] - 4, "q", 15, style.text, bold=True))
    x, y = at(vectors["output"])
    picture.add(Line([(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y), (x, y - 6)], style.text, fill=style.text))
    return picture


def _circle(middle: Point, radius: float) -> list[Point]:
    angles = (2 * math.pi * at / 40 for at in range(41))
    return [(middle[0] + radius * math.cos(one), middle[1] + radius * math.sin(one)) for one in angles]
