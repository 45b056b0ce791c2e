"""The figure component: a row of cards, each a step with its heatmap, drawn in the browser by plot.js."""

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from attention.figures import Heatmap
from pages.shell.plot.chart import Chart
from pages.shell.plot.vectors import Vectors

# Loaded by address, and terse: this text travels with every update of every row of figures.
_BOOT = """const p=import(new URL("assets/plot/plot.js",document.baseURI))
export default c=>{const m=p.then(p=>p.render(c));return()=>m.then(end=>end())}"""
_component = st.components.v2.component("attention_plot", js=_BOOT, isolate_styles=False)


@dataclass(frozen=True)
class Card:
    """A figure with the words that belong to it. row: the place of its quantity in the table of `words`, which says
    title, formula, axes and kind; also: a second axis whose highlight the rows follow (in self-attention a row of X is
    a query and a key);
    tag: what tells it from other figures of its step; sets: the control, and its value, that a click on it chooses;
    labels: the names along its axes, where they are not those of the page; band: as of a `Figure`."""

    heatmap: Heatmap
    row: int
    note: str
    also: str = ""
    tag: str = ""
    sets: tuple[str, str | int] | None = None
    labels: Mapping[str, Sequence[str]] | None = None
    band: int = 0


@dataclass(frozen=True)
class Figure:
    """A heatmap that no table of quantities knows: it brings its own title and the labels of its sides.

    band: after how many columns a line stands, 0 for none.
    """

    heatmap: Heatmap
    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    note: str = ""
    text: str = ""
    band: int = 0

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = self.heatmap
        sides = ((drawn.rows, self.rows), (drawn.columns, self.columns))
        return _sent(Card(drawn, -1, self.note, band=self.band)) | {
            "title": self.title,
            "text": [self.text] if self.text else [],
            "formula": "",
            "kind": drawn.kind,
            "rows": drawn.rows,
            "columns": drawn.columns,
            "labels": {axis: list(names) for axis, names in sides if names},
        }


def words(content: Mapping[str, Any]) -> None:
    """What does not change from one update to the next: titles, formulas, sentences. Once a page, before figures."""
    _component(key="plot-words", data={"words": content}, height=1)


def labels(tokens: Mapping[str, Sequence[str]]) -> None:
    """The tokens by axis name, for all figures of the page."""
    _component(key="plot-labels", data={"labels": {axis: list(names) for axis, names in tokens.items()}}, height=1)


def cards(key: str, chapter: str, row: Sequence[Card], on_cell: Callable[[], None]) -> None:
    """Draw a row of cards under a fixed key, headed by a chapter.

    on_cell: called before the next run when a cell was clicked, which then is `clicked(key)`.
    """
    data = {"chapter": chapter, "cards": [_sent(card) for card in row]}
    _component(key=key, data=data, on_cell_change=on_cell)


@dataclass(frozen=True)
class Click:
    """A cell that the browser reports, row and column from 0; sets: the control and the value that it chooses."""

    figure: str
    row: int
    column: int
    sets: tuple[str, str] | None


def clicked(key: str) -> Click | None:
    """The click on the row of figures with this key, input from outside like any other; None for what is none."""
    match st.session_state[key].get("cell"):
        case {"figure": str(figure), "row": int(row), "column": int(column), **rest}:
            match rest.get("sets"):
                case [str(name), str() | int() as value]:
                    return Click(figure, row, column, (name, str(value)))
            return Click(figure, row, column, None)
    return None


def row(
    key: str,
    *figures: Figure | Chart | Vectors,
    on_query: Callable[[], None] | None = None,
    on_cell: Callable[[], None] | None = None,
) -> None:
    """Draw figures of any kind, which bring their own words, side by side under a fixed key; their ids differ.

    on_cell: called before the next run when a cell of a `Figure` was clicked, as in `cards`.
    on_query: called before the next run when the query of a `Vectors` was moved; `st.session_state[key]["query"]` then
    is {angle, length}.
    """
    data: dict[str, Any] = {"chapter": "", "cards": [figure.sent() for figure in figures]}
    heard: dict[str, Any] = {"on_query_change": on_query, "on_cell_change": on_cell}
    if on_cell:
        # Without a listener the browser must not report: headed rows always have one, and need not say so.
        data["clicks"] = True
    _component(key=key, data=data, **{name: call for name, call in heard.items() if call})


def single(key: str, heatmap: Heatmap, title: str, rows: Sequence[str], columns: Sequence[str], note: str = "") -> None:
    """One figure that brings its own title and the labels of its sides."""
    row(key, Figure(heatmap, title, rows, columns, note))


def _sent(card: Card) -> dict[str, Any]:
    """What one update of one figure carries: what is in `words` does not travel again."""
    drawn = card.heatmap
    z = np.ascontiguousarray(drawn.z, dtype="<f4")
    data = z.tobytes()
    ends = (_short(drawn.low), _short(drawn.high))
    sent = {
        "id": drawn.id,
        "of": card.row,
        "z": base64.b64encode(data).decode(),
        "shape": z.shape,
        "range": ends,
        "note": card.note,
        # Tells the browser, which would have to compare the numbers, and the tests what is new.
        "stamp": f"{zlib.crc32(data + repr((*ends, *([card.band] if card.band else []))).encode()):08x}",
    }
    if drawn.size != z.shape:
        sent["size"] = drawn.size
    if drawn.hidden is not None:
        sent["hidden"] = "0" if drawn.hidden == 0 else "−∞"
    if card.tag:
        sent["tag"] = card.tag
    if card.sets:
        sent["sets"] = card.sets
    if card.also:
        sent["also"] = card.also
    if card.band:
        sent["band"] = card.band
    if card.labels:
        sent["labels"] = {axis: list(names) for axis, names in card.labels.items()}
    return sent


def _short(end: float) -> float:
    return float(f"{end:.6g}")


def again(key: str, lap: int) -> None:
    """Have the browser ask for another run of the page once it has drawn this one. lap: another number every time.

    Not by `st.fragment(run_every=...)`: the browser forgets cached messages that some runs in a row did not need, and a
    fragment needs none of the others; one that is referred to while it is forgotten ends the connection.
    """
    _component(key=key, data={"lap": lap}, on_lap_change=_nothing, height=1)


def _nothing() -> None:
    """A trigger must have a callback; its run is what is wanted."""


def palette(name: str) -> None:
    """Give the page, for as long as this is drawn, the colours that `:root[data-palette]` has in the styles."""
    _component(key="plot-palette", data={"palette": name}, height=1)


def lecture(name: str, stop: int, figure: str, on_stop: Callable[[], None]) -> None:
    """Keep the windows of this browser at one stop of a lecture, scroll to its figure, listen for a clicker's keys.

    on_stop: called before the next run when another window went on; `st.session_state["lecture-channel"]["stop"]`.
    """
    data = {"lecture": {"name": name, "stop": stop, "figure": figure}}
    _component(key="lecture-channel", data=data, on_stop_change=on_stop, height=1)


def share(key: str, most: int, small: bool = False) -> None:
    """What copies the link of the screen and asks for its QR code. most: the characters that a code holds.

    small: one button for both, where there is little room.
    """
    _component(key=key, data={"share": {"most": most, "small": small}})
