"""Places for views, whose figures and texts the browser asks for by address."""

from functools import partial
from typing import Any

import streamlit as st

from pages.shell import component
from pages.shell.layout.rows import changes
from pages.shell.screen import VIEW
from pages.shell.state.pending import set_controls
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, OF_FIGURES, SCREENS
from pages.shell.views import View


def show(*views: View) -> None:
    """Views below each other."""
    for one in views:
        key = f"plot-{one.name.partition('.')[2]}"
        component.view(key, one.name, changes(partial(_set, key)))


def context(page: str, language: str, build: str) -> dict[str, Any]:
    """What the browser has to know to ask for views."""
    return {
        "page": page,
        "language": language,
        "build": build,
        "controls": list(ALL_FIELDS),
        "figures": sorted(OF_FIGURES),
        "reader": list(Reader.knobs()),
        "looks": [*VIEW, *sorted(OF_FIGURES)],
    }


def _set(key: str) -> None:
    """Set what the browser asks for, input from outside like any other."""
    asked = st.session_state[key].get("sets")
    if not isinstance(asked, dict):
        return
    given = {name: value for name, value in asked.items() if name in ALL_FIELDS and isinstance(value, str)}
    nearest = (screen.of(given) for screen in SCREENS if screen.knobs().keys() & given.keys())
    set_controls({name: value for screen in nearest for name, value in screen.values().items() if name in given})
