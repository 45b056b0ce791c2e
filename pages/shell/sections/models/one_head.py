"""The head that is opened: what it does, a switch, and all its steps."""

from functools import partial

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import page, pipeline
from pages.shell.layout.rows import changes, row
from pages.shell.layout.widgets import widgets
from pages.shell.sections.models.common import after, asked, is_ready, measured, name, numbers, open_head, place, shown
from pages.shell.state.pending import set_controls


def section() -> None:
    # Over all models: a slider with another range is another widget, and would forget what a link asks for.
    widgets("model_layer", "model_head")
    if is_ready():
        _facts()
        page.ledger(shown)
        pipeline.section(shown, _choose)


@row
def _facts() -> None:
    found, (layer, head), off = after.read(), place.read(), asked.read().off
    if found is None:
        return
    st.subheader(say("models.opened.title", head=name(layer, head), code=f"L{layer}H{head}"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(numbers(measured(found), layer, head), width="content")
        is_off = (layer, head) in off
        st.button(
            say("models.opened.on" if is_off else "models.opened.off"),
            key="model-head-switch",
            on_click=changes(partial(_switch, layer, head, off)),
            icon=":material/toggle_off:" if is_off else ":material/toggle_on:",
        )


def _switch(layer: int, head: int, off: tuple[tuple[int, int], ...]) -> None:
    """Switch a head off, or on again. off: the heads that were off; all from 0."""
    left = sorted({*off} ^ {(layer, head)})
    set_controls({"model_off": ",".join(f"{at[0] + 1}.{at[1] + 1}" for at in left)})


def _choose(head: int) -> None:
    open_head(place()[0] + 1, head)
