"""Figures that a task has made and draws itself."""

from pages.shell import component
from pages.shell.views import blocks
from pages.shell.views.blocks import Drawn
from pages.shell.views.prose import sent


def drawn(key: str, *figures: Drawn) -> None:
    """Draw figures of any kind side by side under a fixed key; their ids differ."""
    component.blocks(key, [sent(blocks.figures(*figures))])
