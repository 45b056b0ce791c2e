"""The panel under a row of figures: the arithmetic of one of its cells."""

from collections.abc import Callable

import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from attention.figures import heatmap_of
from pages.shell import component
from pages.shell.component.sight import mounted
from pages.shell.i18n import say
from pages.shell.layout.rows import changes
from pages.shell.views.panel import Panel


def show(panel: Panel, key: str, close: Callable[[], None]) -> None:
    """The panel under the row with this key. close: what the button does that ends it."""
    explained = panel.explained
    with _framed(key):
        with st.container(horizontal=True, horizontal_alignment="distribute"):
            st.markdown(say("cell.title", title=panel.title, place=panel.place))
            st.button(say("cell.close"), key=f"close-{key}", on_click=changes(close), type="tertiary")
        st.markdown(panel.rule)
        st.latex(explained.latex)
        if explained.lines:
            _operands(panel, key)
        with st.expander(say("cell.latex")):
            st.code(explained.latex, language="latex")


def _framed(key: str) -> DeltaGenerator:
    # No browser says of this key that it is far: out of sight, too, a panel ends when another cell is asked about.
    mounted(f"cell-{key}")
    return st.container(border=True, key=f"cell-{key}")


def _operands(panel: Panel, key: str) -> None:
    explained = panel.explained
    z = torch.stack([line.values for line in explained.lines])
    drawn = heatmap_of("operands", z, "operand", explained.axis, forbidden=z == -float("inf"))
    names = [line.name for line in explained.lines]
    component.single(f"operands-{key}", drawn, say("cell.operands"), names, panel.labels.get(explained.axis, ()))
