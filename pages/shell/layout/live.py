"""Places for views, whose figures and texts the browser asks for by address."""

from typing import Any

from pages.shell import component
from pages.shell.screen import VIEW
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, OF_FIGURES
from pages.shell.views import View


def show(*views: View) -> None:
    """Views below each other."""
    for one in views:
        component.view(f"plot-{one.name.partition('.')[2]}", one.name)


def context(page: str, language: str, build: str) -> dict[str, Any]:
    """What the browser has to know to ask for views."""
    return {
        "page": page,
        "language": language,
        "build": build,
        "controls": list(ALL_FIELDS),
        "reader": list(Reader.knobs()),
        "looks": [*VIEW, *sorted(OF_FIGURES)],
    }
