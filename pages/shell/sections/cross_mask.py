"""The mask between two texts, which cross-attention rarely has, and its parameters."""

from attention.masks import MASKS
from pages.shell.layout.widgets import widgets
from pages.shell.state.page_controls import CrossAttention


def controls() -> None:
    widgets("cross_mask")
    if parameters := MASKS[CrossAttention.current().cross_mask].parameters:
        widgets(*parameters)
