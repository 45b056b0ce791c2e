"""Rows that are drawn alone: after every move of every control the screen is the one that its whole page would show.

So no row may depend on what it has not noted; and what a move does not concern is not drawn.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.visitor import Visitor
from pages.shell.state.config import VARIANTS
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE
from tests.support.app import HOME, PAGES, awaited
from tests.support.covering import EVERY_TEST, EXHAUSTIVE

# Three heads, two sentences of different length, a mask with a parameter, dropout: every figure and every control.
LINK = "?preset=random&text=a%20b%20c%20d%20e%0Af%20g&heads=3&mask=window&dropout=0.3&last=4&seed=3&d_model=12"
# A setting that is not shipped, two sentences, and something of each condition.
LEARNED = (
    "?preset=learned&text=the%20fox%20brings%20the%20owl%20to%20the%20hen%0Athe%20fox&mask=window&dropout=0.3&seed=3"
)
# What takes figures and controls away, or brings others along, is moved when those have been.
LAST = ("heads", "dropout", "mask", "preset")
# What is drawn is told by what is random in it.
KINDS = (
    "bidi_component",
    "markdown",
    "heading",
    "alert",
    "slider",
    "button_group",
    "checkbox",
    "number_input",
    "text_area",
)


def told(visitor: Visitor) -> list[str]:
    """What stands on the screen, in its order."""
    lines = []
    for delta in visitor.tab.shown:
        kind = delta.new_element.WhichOneof("type")
        if kind in KINDS:
            element = getattr(delta.new_element, kind)
            lines.append(f"{kind} {_text(kind, element)}")
    return lines


def _text(kind: str, element: Any) -> str:
    if kind == "bidi_component":
        # How many results there have been is another number each time.
        return "computed" if '"computed"' in element.json else element.json
    if kind in ("markdown", "heading", "alert"):
        return element.body
    # Where it stands is the browser's to know; that it is there, and whether it is live, the server says.
    return f"{element.label} {element.disabled}"


def moves(visitor: Visitor) -> Iterator[tuple[str, WidgetState]]:
    """Another value for each control of the page that is live, by its name."""
    for kind in ("slider", "button_group", "checkbox", "number_input", "text_area"):
        for one in visitor.tab.elements(kind):
            name = one.id.rpartition("-")[2]
            if name not in ALL_FIELDS or name in Reader.knobs() or one.disabled:
                continue
            state = WidgetState(id=one.id)
            if kind == "slider":
                place = one.max if one.default[0] == one.min else one.min
                if one.options:
                    state.string_array_value.data.append(one.options[int(place)])
                else:
                    state.double_array_value.data.append(place)
            elif kind == "button_group":
                place = -1 if list(one.default) != [len(one.options) - 1] else 0
                state.string_array_value.data.append(one.options[place].content)
            elif kind == "checkbox":
                state.bool_value = not one.default
            elif kind == "number_input":
                state.int_value = int(one.default) + 7
            else:
                state.string_value = "the owl met the fox\nshy hen"
            yield name, state


@pytest.mark.parametrize(
    ("page", "link"), [*((page, LINK) for page in PAGES if page != "scaling"), ("walkthrough", LEARNED)]
)
def test_after_every_move_the_screen_is_that_of_the_whole_page(server, page, link):
    path = "" if page == "walkthrough" else page

    own = BY_PAGE[page].knobs() if page in BY_PAGE else {}

    def is_tried(name: str) -> bool:
        """Of what many pages share, each page a part: what a row draws of it is drawn by the same code everywhere.
        A setting that is not shipped: what leads to weights that take it."""
        turn = [*ALL_FIELDS].index(name) + PAGES.index(page)
        everything = link == LINK or EVERY_TEST or name in ("preset", *VARIANTS)
        return EXHAUSTIVE or name in own or (page == HOME and everything) or turn % 4 == 0

    async def tried() -> int:
        """Each move from the screen that the one before has left."""
        visitor, done, seen = Visitor(server, path + link), list[str](), 0
        await visitor.arrive()
        while found := [move for move in moves(visitor) if move[0] not in done and is_tried(move[0])]:
            name, state = min(found, key=lambda move: LAST.index(move[0]) if move[0] in LAST else -1)
            done.append(name)
            await visitor.send(state)
            drawn = not visitor.tab.is_page
            # A row that was left out stays as it was, unless the next move draws it: of two moves one look tells.
            if EVERY_TEST or name in own or len(done) % 2 == 0:
                await compared(visitor, done)
                seen = len(done)
            # A trained model is loaded by the whole page, and so is what a variant leads to: weights that take it.
            loads = ("preset", "model", *(("positions", *VARIANTS) if link == LEARNED else ()))
            assert drawn or name in loads, f"{name} drew the whole page"
        if seen < len(done):
            await compared(visitor, done)
        await visitor.leave()
        return len(done)

    assert awaited(tried()) or page == "one_query"


async def compared(visitor: Visitor, done: list[str]) -> None:
    """Hold what rows have drawn against the whole page: nothing that it needs has changed, it draws what is there."""
    rows = told(visitor)
    await visitor.again()
    whole = told(visitor)
    differ = [(json.dumps(a)[:300], json.dumps(b)[:300]) for a, b in zip(rows, whole, strict=False) if a != b]
    assert (differ, len(rows)) == ([], len(whole)), done[-2:]
