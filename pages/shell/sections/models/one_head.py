"""The opened head: its pattern, a switch, and all its steps."""

from functools import partial

import streamlit as st

from attention.figures import heatmap_of
from attention.inputs.trained import SIZES
from pages.shell import component
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.layout import choices, page, pipeline
from pages.shell.layout.rows import answers, row
from pages.shell.layout.widgets import buttons
from pages.shell.runs.sources import Source
from pages.shell.runs.trained.request import last_word, sizes_of
from pages.shell.sections.models.common import (
    after,
    is_ready,
    measured,
    name,
    numbers,
    open_head,
    place,
    request,
    shown,
)
from pages.shell.state.pending import set_controls

_sizes = Source(lambda: sizes_of(request().model))
# Of all models.
_LAYERS, _HEADS = (range(1, max(getattr(one, kind) for one in SIZES.values()) + 1) for kind in ("layers", "heads"))


def section() -> None:
    _choosers()
    _facts()
    if is_ready():
        page.ledger(shown)
        pipeline.section(shown, _choose)
    else:
        pipeline.controls()
        _map()


@row
def _choosers() -> None:
    # Buttons, of which those of the model are seen: a slider with another range is another widget, which takes its
    # value from the link that the visitor came with.
    sizes = _sizes.read()
    for control, most, there in (("model_layer", _LAYERS, sizes.layers), ("model_head", _HEADS, sizes.heads)):
        buttons(control, most)
        st.html(choices.offer(control, most, most[:there]) + "<span></span>")


@row
def _facts() -> None:
    found, (layer, head), off = after.read(), place.read(), request.read().off
    if found is None:
        return
    st.subheader(say("models.opened.heading", head=name(layer, head), code=f"L{layer}H{head}"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(numbers(measured(found), layer, head), width="content")
        is_off = (layer, head) in off
        if is_ready():
            st.button(
                say("models.opened.on" if is_off else "models.opened.off"),
                key="model-head-switch",
                on_click=answers(partial(_switch, layer, head, off)),
                icon=":material/toggle_off:" if is_off else ":material/toggle_on:",
            )


@row
def _map() -> None:
    """The weights of a head of which nothing else was kept."""
    found, (layer, head) = after.read(), place.read()
    if found is None:
        return
    hides = None if found.mask is None else ~found.mask
    tokens, z = found.tokens, found.weights[layer, head]
    drawn = heatmap_of("weights", z, "query", "key", "probability", forbidden=hides, hidden=0.0)
    query = last_word(len(tokens), is_causal=_sizes().causal)
    key = int(z[query].argmax())
    note = say("models.opened.map_note", query=tokens[query], key=tokens[key], number=f"{z[query, key]:.2f}")
    title = say("models.opened.map", head=name(layer, head))
    component.row("plot-model-head", Figure(drawn, title, tokens, tokens, note, say("models.opened.map_text")))


def _switch(layer: int, head: int, off: tuple[tuple[int, int], ...]) -> None:
    """Switch a head off, or on again. off: the heads that were off; all from 0."""
    left = sorted({*off} ^ {(layer, head)})
    set_controls({"model_off": ",".join(f"{at[0] + 1}.{at[1] + 1}" for at in left)})


def _choose(head: int) -> None:
    open_head(place()[0] + 1, head)
