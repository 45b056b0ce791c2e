"""What the parts of pages show: pure functions of a screen, by name in one registry."""

from pages.shell.views import walkthrough
from pages.shell.views.registry import VIEWS, UnknownView, View, answered, view

__all__ = ["VIEWS", "UnknownView", "View", "answered", "view", "walkthrough"]
