"""The controls that one page has for itself, moved by hand: the URL says it, and the figures follow."""

import pytest

from pages.shell.knobs import written
from pages.shell.own import Heads, Masks, Order, WhatIf

pytestmark = pytest.mark.browser

PAGES = {"masks": Masks, "heads": Heads, "order": Order, "experiments": WhatIf}
# control: page, the link before, what the visitor does, the value after.
MOVES = {
    "every_mask": ("masks", {}, lambda screen: screen.choose("every_mask", "masked"), "masked"),
    "fixed_d_k": ("heads", {"heads": 2}, lambda screen: screen.flip("fixed_d_k"), True),
    "shuffle": ("order", {}, lambda screen: screen.slide("shuffle", "ArrowRight"), 2),
    "order_mask": ("order", {}, lambda screen: screen.choose("order_mask", "causal"), "causal"),
    "order_positions": ("order", {}, lambda screen: screen.flip("order_positions"), True),
    "shifted": ("experiments", {}, lambda screen: screen.choose("shifted", "queries"), "queries"),
    "shift": ("experiments", {}, lambda screen: screen.slide("shift", "ArrowLeft"), 4.5),
    "basis": ("experiments", {}, lambda screen: screen.slide("basis", "ArrowRight"), 2),
}


def test_every_control_is_moved():
    assert set(MOVES) == {name for own in PAGES.values() for name in own.knobs()}


@pytest.mark.parametrize("page", PAGES)
def test_a_control_writes_the_url_changes_the_figures_and_can_be_opened_again(screen, page):
    moves = {name: move[1:] for name, move in MOVES.items() if move[0] == page}
    screen.open(f"/{page}", **{name: value for link, *_ in moves.values() for name, value in link.items()})
    for name, (_, act, after) in moves.items():
        screen.changed(lambda act=act: act(screen))
        screen.until_parameter(name, written(after))
    moved = {place: card["stamp"] for place, card in screen.cards().items()}
    screen.page.reload()
    screen.settle()
    assert {place: card["stamp"] for place, card in screen.cards().items()} == moved


@pytest.mark.parametrize(("page", "figure"), [("order", "weights-back"), ("experiments", "weights-tied")])
def test_the_point_is_made_in_the_first_screen(screen, page, figure):
    screen.open(f"/{page}")
    box = screen.card(figure).locator(".att-plot").bounding_box()
    assert box["y"] + box["height"] <= screen.page.viewport_size["height"]
