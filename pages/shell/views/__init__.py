"""What the parts of pages show: pure functions of a screen, by name in one registry."""

from pages.shell.views import (
    backward,
    compare,
    cross_attention,
    dropout,
    experiments,
    heads,
    order,
    tiles,
    walkthrough,
)
from pages.shell.views.registry import VIEWS, NotYetError, UnknownViewError, View, answered, view

__all__ = [
    "VIEWS",
    "NotYetError",
    "UnknownViewError",
    "View",
    "answered",
    "backward",
    "compare",
    "cross_attention",
    "dropout",
    "experiments",
    "heads",
    "order",
    "tiles",
    "view",
    "walkthrough",
]
