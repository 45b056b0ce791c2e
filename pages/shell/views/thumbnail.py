"""The first figure of a page as a small picture, drawn as on the page, which need not be open.

If the first figure is a line to drag, the next one is taken.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pages.shell.screen import Screen
from pages.shell.state.opens_with import opens_with
from pages.shell.views.blocks import Block
from pages.shell.views.first_screen import names
from pages.shell.views.registry import VIEWS, NotYetError, named

_FIGURES = ("cards", "strip", "wall")
_DRAGGED = "places"


@named("contents.thumbnail")
def thumbnail(screen: Screen) -> Iterator[Block]:
    """The first figure of the page that need not wait for a task."""
    screen = replace(screen, parameters={**screen.parameters, **opens_with(screen.page, screen.parameters)})
    for name in names(screen.page):
        with suppress(NotYetError):
            found = [block for block in VIEWS[name].draw(screen) if _is_picture(block)]
            if found:
                yield _one(found[0])
                return


def _one(block: Block) -> Block:
    """A picture this small has one subject: the first of several figures, with arcs that hang below its words."""
    if block["kind"] != "cards":
        return block
    first, *others = block["cards"]
    return block | {"cards": [first, *filter(_hangs, others)]}


def _is_picture(block: Block) -> bool:
    return block["kind"] in _FIGURES and not any(_DRAGGED in card for card in block.get("cards", ()))


def _hangs(card: Mapping[str, Any]) -> bool:
    return bool(card.get("arcs", {}).get("hangs"))
