"""Layers of a sliding window: which inputs a position depends on, layer by layer."""

from typing import Any

import streamlit as st

from attention.analysis.receptive_field import reach, receptive_field, sliding
from attention.figures import heatmap_of
from pages.shell import component
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.layout.rows import answers, row
from pages.shell.runs.run import Run
from pages.shell.state.pending import set_controls
from pages.shell.state.todays_controls import Tiles

_KEY = "plot-tiles-field"
# Mistral 7B: its window, and its layers.
_WINDOW, _LAYERS = 4096, 32


def lead() -> None:
    st.subheader(say("tiles.field.title"), anchor=False)
    st.markdown(say("tiles.field.lead"))


@row
def fan(run: Run) -> None:
    """A row a layer: what the position that is chosen depends on after it; a click chooses another position."""
    chosen, tokens = Tiles.current(), run.labels["key"]
    n = len(tokens)
    at = min(chosen.field_position or n, n) - 1
    full = (chosen.field_layers // 2,) if chosen.field_global else ()
    masks = sliding(n, chosen.field_width, chosen.field_layers, full=full)
    field = receptive_field(masks)[:, at]
    drawn = heatmap_of("receptive-field", field, "layer", "key", "binary")
    names = [
        say("tiles.field.layer_full" if layer in full else "tiles.field.layer", layer=layer + 1)
        for layer in range(len(masks))
    ]
    counts = ", ".join(str(int(each.sum())) for each in field)
    formula = reach(chosen.field_width, chosen.field_layers)
    note = say("tiles.field.note", token=tokens[at], counts=counts, place=at + 1, reach=formula)
    figure = Figure(drawn, say("tiles.field.figure"), names, tokens, note)
    component.row(_KEY, figure, on_cell=answers(_point))
    numbers = {"window": _WINDOW, "product": _WINDOW * _LAYERS, "reach": reach(_WINDOW, _LAYERS)}
    told: dict[str, Any] = {name: f"{number:,}" for name, number in numbers.items()}
    st.markdown(say("tiles.field.wrong", layers=_LAYERS, **told))


def _point() -> None:
    """Choose the position of the cell that was clicked, input from outside like any other."""
    click = component.clicked(_KEY)
    if click is not None:
        set_controls({"field_position": Tiles.of({"field_position": str(click.column + 1)}).field_position})
