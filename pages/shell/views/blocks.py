"""The parts of a view: blocks, which the browser draws by their kind (component/browser/blocks.js).

Texts are Markdown here, with formulas between dollars; they are HTML when they travel (views/prose.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import torch

from attention.figures import heatmap_of
from pages.shell.component.heatmap import Card, Figure
from pages.shell.component.heatmap import sent as card_sent
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.views.line_breaks import broken
from pages.shell.views.panel import Panel

Block = dict[str, Any]
# Settings, by name, that a click gives. For a cell, `{figure}`, `{row}` and `{column}` stand for its place, and
# `{row_number}` and `{column_number}` for the same counted from 1.
Settings = Mapping[str, str]


class Drawn(Protocol):
    """A figure that brings its own words."""

    def sent(self) -> dict[str, Any]: ...


def text(markdown: str) -> Block:
    """A paragraph, or several."""
    return {"kind": "text", "markdown": markdown}


def heading(markdown: str) -> Block:
    return {"kind": "heading", "line": markdown}


def note(markdown: str, about: str = "warning") -> Block:
    """A paragraph that stands out. about: warning, info or success."""
    return {"kind": "note", "about": about, "markdown": markdown}


def table(*header: str, rows: Iterable[Iterable[object]]) -> Block:
    """A small table of texts, in Markdown."""
    return {
        "kind": "table",
        "header": [{"line": one} for one in header],
        "rows": [[{"line": str(one)} for one in row] for row in rows],
    }


def formula(tex: str) -> Block:
    """A formula on a line of its own."""
    return {"kind": "formula", "markdown": f"$$\n{tex}\n$$"}


def code(text: str) -> Block:
    """Lines of Python, to be copied."""
    return {"kind": "code", "text": text}


def cards(
    chapter: str,
    shown: Sequence[Card | Drawn],
    labels: Mapping[str, Sequence[str]],
    *,
    click: Settings | None = None,
    at: tuple[int, int] | None = None,
    opens: str = "",
    drag: Settings | None = None,
) -> Block:
    """Figures side by side. chapter: the id of the heading above them, "" for none; labels: the names along the axes of
    those that do not bring their own.

    click: the settings of a click on a cell, None for none; at: a cell that has a frame, row and column from 0; opens:
    the key of the container that a click scrolls to; drag: the settings of a figure in which something is dragged, with
    the dragged value in braces.
    """
    sent = [card_sent(one) if isinstance(one, Card) else one.sent() for one in shown]
    block: Block = {"kind": "cards", "chapter": chapter, "cards": sent}
    block["labels"] = {axis: list(names) for axis, names in labels.items()}
    if click is not None:
        block["click"] = dict(click)
    if at is not None:
        block["at"] = at
    if opens:
        block["opens"] = opens
    if drag is not None:
        block["drag"] = dict(drag)
    return block


def figures(*shown: Drawn, click: Settings | None = None, opens: str = "", drag: Settings | None = None) -> Block:
    """Figures of any kind that bring their own words, side by side; their ids differ. click, opens, drag: as of
    `cards`."""
    return cards("", shown, {}, click=click, opens=opens, drag=drag)


def clicked(shown: Block, sets: Mapping[str, Settings]) -> Block:
    """Figures with other clicks for some of them. sets: the settings of a click on a cell, by the id of its figure."""
    return shown | {"clicks": {id: dict(each) for id, each in sets.items()}}


def buttons(*pressed: tuple[str, bool | None, Settings] | tuple[str, bool, Settings, float], said: str = "") -> Block:
    """Buttons in a row: the label of each, whether it is pressed, None for an action, its settings, and how full it is,
    a share. said: words before them."""
    made = [
        {"line": label, "pressed": on, "sets": dict(sets)} | ({"share": rest[0]} if rest else {})
        for label, on, sets, *rest in pressed
    ]
    words = {"said": {"line": said}} if said else {}
    return {"kind": "buttons", "buttons": made} | words


def counted(markdown: str, said: str, *bars: tuple[str, float, str, int]) -> Block:
    """A sentence with bars beside it. said: what they count; each bar: its name, its share, the share as text, and its
    place in the palette of charts."""
    made = [{"line": name, "share": part, "written": written, "colour": colour} for name, part, written, colour in bars]
    return {"kind": "counted", "markdown": markdown, "said": {"line": said}, "bars": made}


def player(
    at: int,
    of: int,
    said: str,
    sets: Settings,
    first: int = 0,
    read: int = 0,
    buttons: Mapping[str, str] | None = None,
    values: Sequence[str] = (),
    counts: str = "",
    ends: bool = False,
    anew: bool = False,
    later: bool = False,
) -> Block:
    """Back, play and next, with a sentence about the shown step. at: that step, from 1, 0 for none; sets: the settings
    of another step, `{told}` for its number and `{value}` for that of its values; first: the lowest of the numbers;
    read: milliseconds of a step, 0 for as many as usual; buttons: their names, of which play and stop are written out,
    None for the usual names; counts: the word before a step's number, which is then shown though it has a value, if no
    slider shows it; ends: whether playing ends at this step, though there are later ones; anew: whether playing from
    this step begins at the first one; later: whether something else is asked first, so that the play button is a quiet
    one."""
    made = {"kind": "player", "at": at, "of": of, "text": said, "sets": dict(sets), "first": first, "read": read}
    made |= {"buttons": dict(buttons)} if buttons else {}
    made |= {"values": list(values)} if values else {}
    made |= {"counts": counts} if counts else {}
    return made | {name: True for name, is_so in (("ends", ends), ("anew", anew), ("later", later)) if is_so}


def panel(shown: Panel, *, closes: bool) -> Block:
    """The arithmetic of a cell. closes: whether it ends with a button, or stands beside its figure for good."""
    explained = shown.explained
    block: Block = {
        "kind": "panel",
        "title": {"line": say("cell.title", title=shown.title, place=shown.place)},
        "rule": {"markdown": shown.rule},
        "formula": {"markdown": broken(explained.latex, display=True)},
        "latex": explained.latex,
        "more": say("cell.latex" if closes else "cell.more"),
    }
    if explained.subtracted is not None:
        block["footnote"] = say("cell.subtracted", largest=digits(explained.subtracted, 4))
    if closes:
        block["close"] = say("cell.close")
    if explained.lines:
        block["operands"] = _operands(shown).sent()
    return block


def _operands(shown: Panel) -> Figure:
    explained = shown.explained
    z = torch.stack([line.values for line in explained.lines])
    drawn = heatmap_of("operands", z, "operand", explained.axis, forbidden=z == -float("inf"))
    names = [line.name for line in explained.lines]
    return Figure(drawn, say("cell.operands"), names, shown.labels.get(explained.axis, ()))
