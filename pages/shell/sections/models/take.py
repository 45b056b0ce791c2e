"""Downloads of the opened layer."""

from collections.abc import Callable
from functools import partial

from pages.shell.exports import trained_layer
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source
from pages.shell.runs.trained.layer_run import opened
from pages.shell.sections.models.common import is_ready, place, request, shown

# A file is made in a thread that knows no visitor: from the screen, and not from its controls.
_again: Source[Callable[[], Run | None]] = Source(
    lambda: partial(opened, request(), *place()), key=lambda: (request(), place())
)
_name = Source(lambda: f"attention-{request().model}-layer{place()[0] + 1}-head{place()[1] + 1}")


def section() -> None:
    if is_ready():
        trained_layer.section(shown, _again, _name)
