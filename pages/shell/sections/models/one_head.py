"""The choice of the open head, and the table of all heads."""

from pages.shell.i18n import say
from pages.shell.layout.live import show
from pages.shell.layout.part import part
from pages.shell.layout.widgets import expander, widget
from pages.shell.runs.trained.request import sizes_of
from pages.shell.sections.models.common import request
from pages.shell.views.models import heads_wall


@part
def choosers() -> None:
    sizes = sizes_of(request().model)
    for control, there in (("model_layer", sizes.layers), ("model_head", sizes.heads)):
        widget(control, options=range(1, there + 1))


def table() -> None:
    """The wall of heads as a table, in an expander."""
    closed = expander("models-table", say("models.wall.table"))
    if closed.open:
        with closed:
            show(heads_wall.table)
