"""What the parts of pages show: pure functions of a screen, by name in one registry."""

from pages.shell.views import models, scaling, walkthrough
from pages.shell.views.registry import VIEWS, NotYetError, UnknownViewError, View, answered, view

__all__ = ["VIEWS", "NotYetError", "UnknownViewError", "View", "answered", "models", "scaling", "view", "walkthrough"]
