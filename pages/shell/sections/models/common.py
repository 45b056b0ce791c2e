"""What the tasks and the downloads of the page start from: what is asked of which model, and the opened head."""

from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import loaded
from pages.shell.runs.trained.request import Request, place_of
from pages.shell.state.page_controls import Models


def request() -> Request:
    return recorded.there(Models.current())


def place() -> tuple[int, int]:
    return place_of(Models.current())


def is_ready() -> bool:
    """Whether the model of the screen is there."""
    return loaded(request().model) is not None
