"""A view as one picture: the blocks that can be drawn, each figure with its title and its sentence."""

from collections.abc import Callable, Iterator
from typing import Any

from pages.shell.exports.embedded.figure import Figure, plain
from pages.shell.exports.embedded.picture import arcs, chart, heatmap, plane, rows
from pages.shell.exports.embedded.picture.drawing import Drawing, Rect, Text, lines
from pages.shell.exports.embedded.picture.style import Style

_WIDTH, _EDGE, _GAP = 720.0, 16.0, 14.0
_TITLE, _TYPE = 16, 14
# From this number of figures on, so many stand side by side.
_BESIDE = 2


class NoPictureError(LookupError):
    """The server can draw no block of the view."""


def drawn(figure: Figure) -> Drawing:
    """The picture of a figure. NoPictureError: no block of it can be drawn."""
    style = Style.of(figure.theme, figure.language)
    inner = _WIDTH - 2 * _EDGE
    parts = [part for block in figure.blocks for part in _block(block, figure, style, inner)]
    if not any(is_picture for _, is_picture in parts):
        raise NoPictureError(figure.name)
    whole = Drawing(_WIDTH, _EDGE)
    for part, _ in parts:
        whole.place(part, _EDGE, whole.height)
        whole.height += part.height + _GAP
    whole.height = round(whole.height + _EDGE - _GAP)
    if style.paper:
        whole.items.insert(0, Rect(0, 0, whole.width, whole.height, style.paper))
    return whole


def _block(block: dict[str, Any], figure: Figure, style: Style, width: float) -> Iterator[tuple[Drawing, bool]]:
    """The drawings of a block, each with whether it is more than text."""
    match block["kind"]:
        case "heading":
            yield _written(plain(block["html"]), _TITLE, style, width, bold=True), False
        case "text" | "note":
            yield _written(plain(block["html"]), _TYPE, style, width), False
        case "table":
            header = [plain(one["html"]) for one in block["header"]]
            lines_of = [[plain(one["html"]) for one in row] for row in block["rows"]]
            yield rows.table(header, lines_of, style, width), True
        case "cards":
            yield from _cards(block, figure, style, width)


def _cards(block: dict[str, Any], figure: Figure, style: Style, width: float) -> Iterator[tuple[Drawing, bool]]:
    cards = [(card, draw) for card in map(figure.worded, block["cards"]) if (draw := _drawer(card))]
    beside = _BESIDE if len(cards) >= _BESIDE else 1
    room = (width - (beside - 1) * _GAP) / beside
    for first in range(0, len(cards), beside):
        line = Drawing(width)
        for at, (card, draw) in enumerate(cards[first : first + beside]):
            part = _card(card, draw(card, block, style, room), style, room)
            line.place(part, at * (room + _GAP), 0)
            line.height = max(line.height, part.height)
        yield line, True


def _card(card: dict[str, Any], shown: Drawing, style: Style, width: float) -> Drawing:
    """A figure between its title and its sentence."""
    mark = card.get("tag") or card.get("part")
    whole = _written(f"{card['title']} · {mark}" if mark else card["title"], _TITLE, style, width, bold=True)
    whole.place(shown, 0, whole.height + 8)
    whole.height += shown.height + 16
    if note := card.get("note"):
        told = _written(note, _TYPE, style, width)
        whole.place(told, 0, whole.height)
        whole.height += told.height
    return whole


def _written(text: str, size: int, style: Style, width: float, *, bold: bool = False) -> Drawing:
    made = Drawing(width)
    for line in lines(text, size, width, bold=bold):
        made.height += 1.35 * size
        made.add(Text(0, made.height - 0.3 * size, line, size, style.text, bold=bold))
    return made


_Drawer = Callable[[dict[str, Any], dict[str, Any], Style, float], Drawing]


def _drawer(card: dict[str, Any]) -> _Drawer | None:
    """The function that draws a card; None if there is none."""
    if "z" in card:
        return lambda one, block, style, width: heatmap.drawn(
            one, one.get("labels") or block.get("labels", {}), style, width
        )
    # Cards with draws of dropout or with gradients have other arcs than those of weights.
    if "crossing" in card or ("arcs" in card and card["arcs"].keys().isdisjoint(("kept", "flows"))):
        return lambda one, _, style, width: arcs.drawn(one, style, width)
    if "chart" in card:
        return lambda one, _, style, width: chart.drawn(one["chart"], style, width)
    if "vectors" in card:
        return lambda one, _, style, width: plane.drawn(one["vectors"], style, width)
    if "asking" in card:
        return lambda one, _, style, width: rows.shares(one, style, width)
    if "pairs" in card:
        return lambda one, _, style, width: rows.pairs(one, style, width)
    if "answers" in card:
        return lambda one, _, style, width: rows.answers(one, style, width)
    return None
