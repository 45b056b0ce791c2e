"""What the parts of pages show: pure functions of a screen, by name in one registry."""

from pages.shell.views import (
    backward,
    compare,
    costs,
    cross_attention,
    dropout,
    experiments,
    fewer_keys,
    heads,
    one_token,
    order,
    scaling,
    taming,
    tiling,
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
    "costs",
    "cross_attention",
    "dropout",
    "experiments",
    "fewer_keys",
    "heads",
    "one_token",
    "order",
    "scaling",
    "taming",
    "tiling",
    "view",
    "walkthrough",
]
