"""A heatmap: cells with their numbers where there is room, names along both sides, hidden cells crossed by a line."""

import base64
import math
from typing import Any

import numpy as np

from pages.shell.exports.embedded.picture.drawing import Drawing, Line, Rect, Text, cut, long
from pages.shell.exports.embedded.picture.style import Style, ink, mixed
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, fixed

TYPE, NUMBER = 12, 11
_MOST_CELL, _LEAST_CELL = 46, 4
# The most pixels that names may take, and the width of a digit as a part of its type size.
_NAMES, _LETTER = 130, 0.6
_TURNED = -45


def numbers(card: dict[str, Any]) -> np.ndarray:
    """The cells of a card, NaN for a cell without a number."""
    rows, columns = card["shape"]
    return np.frombuffer(base64.b64decode(card["z"]), dtype="<f4").reshape(rows, columns)


def drawn(card: dict[str, Any], labels: dict[str, list[str]], style: Style, width: float) -> Drawing:
    """A heatmap. labels: the names along the axes; width: the available width."""
    z = numbers(card)
    rows, columns = z.shape
    names = [_names(labels, card, side, count) for side, count in (("rows", rows), ("columns", columns))]
    sums = card.get("sums", [])
    left = min(max((long(name, TYPE) for name in names[0]), default=0) + 8, _NAMES) if names[0] else 0
    right = max((long(one, NUMBER) for one in sums), default=0) + (8 if sums else 0)
    cell = max(min((width - left - right) / columns, _MOST_CELL), _LEAST_CELL)
    picture = Drawing(width, rows * cell)
    for row in range(rows):
        for column in range(columns):
            _cell(picture, card, float(z[row, column]), (left + column * cell, row * cell, cell), style)
    picture.add(*_texts(card, z, left, cell, style))
    for at, name in enumerate(names[0]):
        shown = cut(name, TYPE, _NAMES - 8)
        picture.add(Text(left - 6, (at + 0.5) * cell + 4, shown, min(TYPE, cell + 2), style.text, "end"))
    for at, one in enumerate(sums):
        picture.add(Text(left + columns * cell + 6, (at + 0.5) * cell + 4, one, NUMBER, style.quiet))
    picture.height += _below(picture, names[1], left, cell, style)
    for row, column in card.get("outlined", []):
        box = (left + column * cell + 1, row * cell + 1, cell - 2, cell - 2)
        picture.add(Rect(*box, stroke=style.text, wide=2))
    if ends := card.get("block", {}).get("ends"):
        top, bottom, start, end = ends
        box = (left + start * cell, top * cell, (end - start + 1) * cell, (bottom - top + 1) * cell)
        picture.add(Rect(*box, stroke=style.text, wide=3))
    _legend(picture, card, left, style)
    return picture


def _names(labels: dict[str, list[str]], card: dict[str, Any], side: str, count: int) -> list[str]:
    axis = card.get(side, "")
    found = labels.get(f"{card['id']}.{axis}") or labels.get(axis) or []
    return found if len(found) == count else []


def _cell(
    picture: Drawing, card: dict[str, Any], value: float, place: tuple[float, float, float], style: Style
) -> None:
    x, y, size = place
    if math.isfinite(value):
        picture.add(Rect(x, y, size, size, _colour(card, value, style), style.page, 0.5 if size > 8 else 0))
        return
    # A cell that the mask hides has neither a number nor its colour.
    picture.add(Rect(x, y, size, size, style.page, style.grid, 0.5))
    picture.add(Line([(x, y + size), (x + size, y)], style.grid))


def _colour(card: dict[str, Any], value: float, style: Style) -> str:
    low, high = card["range"]
    return mixed(style.scale(card["kind"]), (value - low) / (high - low) if high > low else 0.5)


def _texts(card: dict[str, Any], z: np.ndarray, left: float, cell: float, style: Style) -> list[Text]:
    """The numbers in the cells, with as many decimals as fit; none if all would read as zero."""
    there = [(row, column) for row, column in np.ndindex(z.shape) if math.isfinite(z[row, column])]
    values = [float(z[place]) for place in there]
    for count in (0,) if all(value == int(value) for value in values) else (2, 1):
        texts = [fixed(value, count) for value in values]
        longest = max((len(text) for text in texts), default=0)
        if longest * NUMBER * _LETTER > cell - 2 or cell < NUMBER + 3:
            continue
        if count and not any(set(text) & set("123456789") for text in texts):
            return []
        return [
            Text(
                left + (column + 0.5) * cell,
                (row + 0.5) * cell + 4,
                "✕" if card.get("crossed") and value == 0 else text,
                NUMBER,
                ink(_colour(card, value, style)),
                "middle",
            )
            for (row, column), value, text in zip(there, values, texts, strict=True)
        ]
    return []


def _below(picture: Drawing, names: list[str], left: float, cell: float, style: Style) -> float:
    """Write the names of the columns; returns their height."""
    if not names:
        return 4
    top = picture.height
    wide = max(long(name, TYPE) for name in names)
    if wide <= cell - 4:
        middles = (left + (at + 0.5) * cell for at in range(len(names)))
        picture.add(
            *(Text(x, top + 16, name, TYPE, style.text, "middle") for x, name in zip(middles, names, strict=True))
        )
        return 22
    size = min(TYPE, max(cell, 6))
    for at, name in enumerate(names):
        shown = cut(name, size, _NAMES)
        picture.add(Text(left + (at + 0.6) * cell, top + 10, shown, size, style.text, "end", turn=_TURNED))
    return min(wide, _NAMES) * math.sin(math.radians(-_TURNED)) + 16


def _legend(picture: Drawing, card: dict[str, Any], left: float, style: Style) -> None:
    """Write the legend: the colours, and the meaning of a crossed or framed cell."""
    scale, (low, high) = style.scale(card["kind"]), card["range"]
    top, at = picture.height + 4, left
    ends = (say("ui.zero"), say("ui.one")) if card["kind"] == "binary" else (digits(low), digits(high))
    for each in (ends[0], *scale, ends[1]):
        if each in scale:
            picture.add(Rect(at, top, 14, 12, each, style.grid, 0.5))
            at += 14
        else:
            at += 6 if at > left else 0
            picture.add(Text(at, top + 11, each, TYPE, style.text))
            at += long(each, TYPE) + 6
    hidden = card.get("absent") or (f"{say('ui.masked')}: {card['hidden']}" if "hidden" in card else "")
    framed = [say("ui.outlined")] if card.get("outlined") else []
    framed += [named] if (named := card.get("block", {}).get("named")) else []
    for text, is_framed in [*((one, True) for one in framed), *([(hidden, False)] if hidden else [])]:
        if at + 30 + long(text, TYPE) > picture.width:
            at, top = left, top + 18
        box = (at + 10, top, 12.0, 12.0)
        picture.add(Rect(*box, stroke=style.text if is_framed else style.grid, wide=2 if is_framed else 0.5))
        if not is_framed:
            picture.add(Line([(at + 10, top + 12), (at + 22, top)], style.quiet))
        picture.add(Text(at + 28, top + 11, text, TYPE, style.text))
        at += 34 + long(text, TYPE)
    picture.height = top + 18
