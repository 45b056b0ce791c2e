"""Downloads of the opened layer."""

from functools import partial

from pages.shell.exports import trained_layer
from pages.shell.layout.part import depends_on, part
from pages.shell.runs.trained.layer_run import opened
from pages.shell.sections.models.common import is_ready, place, request
from pages.shell.state.page_controls import Models


@part
def section() -> None:
    depends_on(Models)
    if is_ready():
        asked, (layer, head) = request(), place()
        # A file is made in a thread that knows no visitor: from the screen, and not from its controls.
        again = partial(opened, asked, layer, head)
        trained_layer.section(again, f"attention-{asked.model}-layer{layer + 1}-head{head + 1}")
