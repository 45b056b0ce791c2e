"""A sentence with arcs from one word to those that it attends to, as wide as the weights; the shown head is strong."""

import math
from typing import Any

from pages.shell.exports.embedded.picture.drawing import Drawing, Line, Point, Rect, Text, cut, long
from pages.shell.exports.embedded.picture.style import Style

_SIZE, _SKY, _WIDEST, _GAP = 15, 110, 14, 12
_LEAST = 0.005
# The opacity of arcs of the other heads, and the least weight at which these arcs are drawn.
_QUIET, _OF_OTHERS = 0.3, 0.1
_POINTS = 32


def drawn(card: dict[str, Any], style: Style, width: float) -> Drawing:
    """The arcs of a figure, among the words of one text or from one text to another."""
    if crossing := card.get("crossing"):
        return _crossing(crossing, style, width)
    arcs = card["arcs"]
    picture = Drawing(width, _SKY + 34)
    size, middles = _line(picture, arcs["tokens"], arcs["focus"], _SKY + 18, style, width)
    shown, are_equal = arcs["head"], "off" in arcs
    _beside(picture, arcs, middles, size, style)
    # Draw the shown head last, above the others.
    for at in sorted(range(len(arcs["asks"])), key=lambda one: one == shown):
        is_strong = are_equal or at == shown
        if at in arcs.get("off", ()):
            continue
        for to, share in enumerate(arcs["asks"][at]["weights"][: len(middles)]):
            if share >= (_LEAST if is_strong else _OF_OTHERS):
                points = _arc(middles[arcs["focus"]], middles[to], size)
                colour = style.series(at if are_equal else 0) if is_strong else style.quiet
                pale = _QUIET if not is_strong else 0.75 if are_equal else 1
                picture.add(Line(points, colour, max(share * _WIDEST, 0.75), opacity=pale))
    return picture


def _beside(picture: Drawing, arcs: dict[str, Any], middles: list[float], size: float, style: Style) -> None:
    """Draw behind the others the head's arcs as trained, and another head's arc from the word that this one finds."""
    for to, share in enumerate(arcs.get("was", ())):
        if share >= _OF_OTHERS:
            points = _arc(middles[arcs["focus"]], middles[to], size)
            picture.add(Line(points, style.series(0), share * _WIDEST, opacity=_QUIET))
    if chain := arcs.get("chain"):
        points = _arc(middles[chain["of"]], middles[chain["to"]], size)
        colour = style.quiet if chain["is_off"] else style.series(1)
        picture.add(Line(points, colour, chain["weights"][chain["to"]] * _WIDEST, opacity=1))


def _line(
    picture: Drawing, tokens: list[str], focus: int, y: float, style: Style, width: float
) -> tuple[float, list[float]]:
    """Write words side by side and mark the query; returns the type size and the middles of the words."""
    size = float(_SIZE)
    wide = [long(token, size) + _GAP for token in tokens]
    if sum(wide) > width:
        size *= max(width / sum(wide), 0.6)
        wide = [min(long(token, size) + _GAP * size / _SIZE, width / len(tokens)) for token in tokens]
    left, middles = max(0.0, (width - sum(wide)) / 2), []
    for at, (token, room) in enumerate(zip(tokens, wide, strict=True)):
        middle = left + room / 2
        if at == focus:
            picture.add(Rect(left + 1, y - size - 2, room - 2, size + 9, style.text))
        fill = style.page if at == focus else style.text
        picture.add(Text(middle, y, cut(token, size, room), size, fill, "middle", bold=at == focus))
        middles.append(middle)
        left += room
    return size, middles


def _arc(asks: float, answers: float, size: float) -> list[Point]:
    """Half an ellipse over the words, or a small loop if a word attends to itself."""
    if asks == answers:
        radius, high = size * 0.8, size * 1.6
    else:
        radius, high = abs(asks - answers) / 2, min(_SKY - 12.0, 18 + abs(asks - answers) * 0.28)
    middle = (asks + answers) / 2
    angles = (math.pi * at / _POINTS for at in range(_POINTS + 1))
    return [(middle - radius * math.cos(one), _SKY - high * math.sin(one)) for one in angles]


def _crossing(crossing: dict[str, Any], style: Style, width: float) -> Drawing:
    """Lines from a word of one text to words of the text below."""
    picture = Drawing(width, 190)
    _, below = _line(picture, crossing["context"], -1, 178, style, width)
    _, above = _line(picture, crossing["tokens"], crossing["focus"], 22, style, width)
    for at, ask in enumerate(crossing["asks"]):
        for to, share in enumerate(ask["weights"]):
            if share >= _LEAST:
                points = [(above[crossing["focus"]], 32.0), (below[to], 160.0)]
                picture.add(Line(points, style.series(at), max(share * _WIDEST, 0.75), opacity=0.75))
    return picture
