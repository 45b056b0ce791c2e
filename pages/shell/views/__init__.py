"""What the parts of pages show: pure functions of a screen, by name in one registry."""

from pages.shell.views import masks, one_query, positions, walkthrough
from pages.shell.views.registry import VIEWS, NotYetError, UnknownViewError, View, answered, view

__all__ = [
    "VIEWS",
    "NotYetError",
    "UnknownViewError",
    "View",
    "answered",
    "masks",
    "one_query",
    "positions",
    "view",
    "walkthrough",
]
