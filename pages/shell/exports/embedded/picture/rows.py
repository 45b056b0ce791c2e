"""Figures made of rows: a table, the weights of all heads, and the answers of a layer."""

from collections.abc import Sequence
from typing import Any

from pages.shell.exports.embedded.picture.drawing import Drawing, Line, Rect, Text, cut, lines, long
from pages.shell.exports.embedded.picture.style import Style, ink, mixed
from pages.shell.i18n.numbers import fixed

_TYPE, _HIGH = 13, 20.0
_GAP = 14.0
_NUMBER = 11


def table(header: Sequence[str], rows: Sequence[Sequence[str]], style: Style, width: float) -> Drawing:
    """A table. Columns are as wide as their texts, or narrower if they do not fit; a text may take several lines."""
    columns = list(zip(header, *rows, strict=True))
    wanted = [max(long(text, _TYPE, bold=True) for text in column) + _GAP for column in columns]
    if sum(wanted) > width:
        # Narrow columns keep their width; the wide ones share what is left.
        fair = width / len(wanted)
        kept = sum(one for one in wanted if one <= fair)
        spread = sum(one for one in wanted if one > fair)
        wanted = [one if one <= fair else one / spread * (width - kept) for one in wanted]
    made = Drawing(width)
    for row, texts in enumerate((header, *rows)):
        bold = row == 0
        parted = [lines(text, _TYPE, room - _GAP, bold=bold) or [""] for text, room in zip(texts, wanted, strict=True)]
        left = 0.0
        for cell, room in zip(parted, wanted, strict=True):
            for at, line in enumerate(cell):
                made.add(Text(left, made.height + 15 + at * 17, line, _TYPE, style.text, bold=bold))
            left += room
        made.height += 17 * max(map(len, parted)) + 6
        made.add(Line([(0, made.height), (min(sum(wanted), width), made.height)], style.quiet if bold else style.grid))
    return made


def shares(card: dict[str, Any], style: Style, width: float) -> Drawing:
    """The weights of all heads: one row for each head, one cell for each word."""
    asking, names = card["asking"], card["labels"]["said"]
    tokens = asking["tokens"]
    left = min(max(long(name, _TYPE) for name in names) + 10, width / 3)
    cell = (width - left) / len(tokens)
    made = Drawing(width, 22)
    for at, token in enumerate(tokens):
        made.add(Text(left + (at + 0.5) * cell, 15, cut(token, _TYPE, cell - 2), _TYPE, style.text, "middle"))
    for row, (ask, name) in enumerate(zip(asking["asks"], names, strict=True)):
        made.add(
            Text(
                left - 8,
                made.height + 14,
                cut(name, _TYPE, left - 8),
                _TYPE,
                style.text,
                "end",
                bold=row == asking["head"],
            )
        )
        for at, share in enumerate(ask["weights"]):
            colour = mixed(style.scale("probability"), share)
            made.add(Rect(left + at * cell, made.height, cell, _HIGH, colour, style.page, 0.5))
            if share >= 0.005 and cell >= 28:
                place = (left + (at + 0.5) * cell, made.height + 14)
                made.add(Text(*place, fixed(share), _NUMBER, ink(colour), "middle"))
        made.height += _HIGH
    return made


def pairs(card: dict[str, Any], style: Style, width: float) -> Drawing:
    """Numbers before and after a change, one row for each, with the difference if the card has it."""
    labels, drawn = card["labels"], card["pairs"]
    told = [side for side in ("before", "after", "far") if side in drawn]
    sides = (["–" if one is None else fixed(one) for one in drawn[side]] for side in told)
    rows = list(zip(drawn["names"], *sides, strict=True))
    return table([labels[name] for name in ("name", *told)], rows, style, width)


def answers(card: dict[str, Any], style: Style, width: float) -> Drawing:
    """Answers, one row for each question: the answer, how sure the layer is, and another number if there is one."""
    labels = card["labels"]
    lines = zip(labels["asked"], labels["said"], labels["sure"], labels["elsewhere"], strict=True)
    # Columns without a name are left out.
    rows = [line[: len(labels["header"])] for line in lines]
    return table(labels["header"], rows, style, width)
