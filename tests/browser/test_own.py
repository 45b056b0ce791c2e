"""The controls that one page has for itself, moved by hand: the URL says it, and the figures follow."""

import pytest

from attention.masks import MASKS
from pages.shell.state.page_controls import Heads, Masks, Order, WhatIf
from pages.shell.state.url import written
from tests.support.covering import EXHAUSTIVE, some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_panel_ends_with_what_the_table_of_the_figure_says",
    ),
]

# What makes the point of a page: the last step of the pipeline, or one figure of a row.
CARD = ".st-key-plot-{} .att-card >> nth={} >> .att-plot"
POINTS = {
    "": ".att-tile[data-step=projected]",
    "masks": CARD.format("every_mask", list(MASKS).index("causal")),
    "heads": CARD.format("heads", 0),
    "order": CARD.format("order-weights", 2),
    "experiments": CARD.format("arcs", 1),
}
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
    point_is_made(screen, page)
    for name, (_, act, after) in moves.items():
        screen.changed(lambda act=act: act(screen))
        screen.until_parameter(name, written(after))
    if page not in some(PAGES, 1):
        return
    moved = {place: card["stamp"] for place, card in screen.cards().items()}
    screen.page.reload()
    screen.settle()
    assert {place: card["stamp"] for place, card in screen.cards().items()} == moved


def point_is_made(screen, page: str) -> None:
    """In the first screen."""
    box = screen.page.locator(POINTS[page]).bounding_box()
    assert box["y"] + box["height"] <= screen.page.viewport_size["height"]


# Of the other pages it is looked at when their controls are moved.
@pytest.mark.parametrize("page", POINTS if EXHAUSTIVE else sorted({*POINTS} - {*PAGES}))
def test_the_point_is_made_in_the_first_screen(screen, page):
    screen.open(f"/{page}")
    point_is_made(screen, page)


def test_bands_of_one_matrix_are_told_apart_by_lines(screen):
    for heads, lines in some(((4, 3), (2, 1)), 1):
        screen.open("/heads", heads=heads)
        for figure in ("whole-w_q", "whole", "small"):
            card = screen.see(figure)
            assert card.locator(".shapelayer path").count() == lines, (heads, figure)


def test_the_panel_ends_with_what_the_table_of_the_figure_says(screen):
    screen.open("/heads", preset="random", cell="queries.2.1.one_head")
    card = screen.see("queries")
    told = screen.tabulate(card).locator("tbody tr").nth(2).locator("td").nth(1).inner_text()
    formula = screen.page.locator(".att-panel pre").text_content()
    assert formula.rpartition("=")[2].strip() == told.replace("−", "-")
