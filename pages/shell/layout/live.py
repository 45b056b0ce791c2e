"""Places for views, whose figures and texts the browser asks for by address."""

from pages.shell import component
from pages.shell.views import View


def show(*views: View) -> None:
    """Views below each other."""
    for one in views:
        component.view(f"plot-{one.name.partition('.')[2]}", one.name)
