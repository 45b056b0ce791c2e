"""The request of the page to a model, from which its tasks start."""

from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import loaded
from pages.shell.runs.trained.request import Request
from pages.shell.state.page_controls import Models


def request() -> Request:
    return recorded.there(Models.current())


def is_ready() -> bool:
    """Whether the model of the screen is loaded."""
    return loaded(request().model) is not None
