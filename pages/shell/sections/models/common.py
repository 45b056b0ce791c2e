"""What the tasks and the downloads of the page start from: what is asked of which model, and the opened head."""

from typing import Any

from pages.shell.i18n import spoken
from pages.shell.runs.sources import Source
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.layer_run import opened
from pages.shell.runs.trained.loaded import loaded
from pages.shell.runs.trained.request import place_of
from pages.shell.state.page_controls import Models

# As the link has it: some widgets come later.
request = Source(lambda: recorded.there(Models.opened()))
place = Source(lambda: place_of(Models.opened()))
shown: Source[Any] = Source(lambda: opened(request(), *place()), key=lambda: (request(), place(), spoken()))


def is_ready() -> bool:
    """Whether the model of the screen is there."""
    return loaded(request().model) is not None
