"""The modern variants as controls of the shared screen."""

from collections.abc import Callable
from typing import Any

from pages.shell.state.config import RANDOM, VARIANTS, Config
from pages.shell.state.pending import set_controls


def place(widget: Callable[..., Any]) -> None:
    """Draw the widgets. widget: draws that of a control, by its name, unless the page does not look at it."""
    for name in VARIANTS:
        widget(name, on_change=free)


def free() -> None:
    """Weights that are given were made without: a variant that is switched on leads to those that are drawn."""
    now = Config.current()
    if now.preset != RANDOM and now != now.plain():
        set_controls({"preset": RANDOM})
