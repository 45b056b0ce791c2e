"""The figure component: a row of cards, each a step with its heatmap, drawn in the browser by plot.js."""

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from attention.figures import Heatmap

# Loaded by address and not sent along: the component's own script travels with every update of every figure.
_BOOT = """
const script = import(new URL("assets/plot/plot.js", document.baseURI).href);
export default (component) => {
  const mount = script.then((plot) => plot.render(component));
  return () => mount.then((remove) => remove());
};
"""
_component = st.components.v2.component("attention_plot", js=_BOOT, isolate_styles=False)


@dataclass(frozen=True)
class Card:
    """A figure with the words that belong to it. formula: LaTeX, looked up in the words that were sent before;
    also: a second axis whose highlight the rows follow (in self-attention a row of X is a query and a key)."""

    heatmap: Heatmap
    formula: str
    note: str
    also: str = ""


def words(content: Mapping[str, Any]) -> None:
    """What does not change from one update to the next: titles, formulas, sentences. Once a page, before figures."""
    _component(key="plot-words", data={"words": content}, height=1)


def cards(
    key: str, chapter: str, row: Sequence[Card], labels: Mapping[str, Sequence[str]], on_cell: Callable[[], None]
) -> None:
    """Draw a row of cards under a fixed key, headed by a chapter. labels: the tokens by axis name.

    on_cell: called before the next run when a cell was clicked; `st.session_state[key]["cell"]` then is
    {figure, row, column}.
    """
    axes = {axis for card in row for axis in (card.heatmap.rows, card.heatmap.columns)}
    data = {
        "chapter": chapter,
        "labels": {axis: list(tokens) for axis, tokens in labels.items() if axis in axes},
        "cards": [_sent(card) for card in row],
    }
    _component(key=key, data=data, on_cell_change=on_cell)


def _sent(card: Card) -> dict[str, Any]:
    drawn = card.heatmap
    z = np.ascontiguousarray(drawn.z, dtype="<f4")
    data = z.tobytes()
    sent = {
        "id": drawn.id,
        "formula": card.formula,
        "z": base64.b64encode(data).decode(),
        "shape": z.shape,
        "rows": drawn.rows,
        "columns": drawn.columns,
        "kind": drawn.kind,
        "range": (_short(drawn.low), _short(drawn.high)),
        "note": card.note,
    }
    if drawn.size != z.shape:
        sent["size"] = drawn.size
    if drawn.hidden is not None:
        sent["hidden"] = "0" if drawn.hidden == 0 else "−∞"
    if card.also:
        sent["also"] = card.also
    # Tells the browser, which would have to compare the numbers, and the tests what is new.
    sent["stamp"] = f"{zlib.crc32(data + json.dumps(sent['range']).encode()):08x}"
    return sent


def _short(end: float) -> float:
    return float(f"{end:.6g}")
