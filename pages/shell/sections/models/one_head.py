"""Which head is opened, and the table of all of them."""

import streamlit as st

from attention.inputs.trained import SIZES
from attention.inputs.trained.changes import Sizes
from pages.shell.i18n import say
from pages.shell.layout import choices
from pages.shell.layout.live import show
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import buttons, expander
from pages.shell.runs.sources import Source
from pages.shell.runs.trained.request import sizes_of
from pages.shell.sections.models.common import request
from pages.shell.views.models import heads_wall

_sizes = Source(lambda: sizes_of(request().model))
# Of all models.
_LAYERS, _HEADS = (range(1, max(getattr(one, kind) for one in SIZES.values()) + 1) for kind in ("layers", "heads"))


def choosers() -> None:
    _choosers(_sizes)


@row
def _choosers(sizes: Sizes) -> None:
    # Buttons, of which those of the model are seen: a slider with another range is another widget, which takes its
    # value from the link that the visitor came with.
    for control, most, there in (("model_layer", _LAYERS, sizes.layers), ("model_head", _HEADS, sizes.heads)):
        buttons(control, most)
        st.html(choices.offer(control, most, most[:there]) + "<span></span>")


def table() -> None:
    """The wall as a table, behind a line that opens."""
    closed = expander("models-table", say("models.wall.table"))
    if closed.open:
        with closed:
            show(heads_wall.table)
