"""The controls that belong to one page, moved by hand: the URL says their value, and the figures follow."""

import pytest

from attention.masks import MASKS
from attention.patterns import PATTERNS
from pages.shell.i18n import say
from pages.shell.runs.composing import controls_of
from pages.shell.state.page_controls import Heads, Masks, Order, WhatIf
from pages.shell.state.url import written
from tests.support.covering import some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_panel_ends_with_what_the_table_of_the_figure_says",
    ),
]

PAGES = {"masks": Masks, "heads": Heads, "order": Order, "experiments": WhatIf}


def another_order(screen) -> None:
    screen.page.get_by_role("button", name=say("order.again"), exact=True).click()


# control: page, the visitor's action, the value after it; in this order on a page, because some bring others.
MOVES = {
    "every_mask": ("masks", lambda screen: screen.choose("every_mask", "masked"), "masked"),
    "index_keep": ("masks", lambda screen: screen.slide("index_keep", "ArrowRight"), 4),
    "studio_mask": ("masks", lambda screen: screen.choose("studio_mask", "window"), "window"),
    "studio_width": ("masks", lambda screen: screen.slide("studio_width", "ArrowRight"), 4),
    "studio_block": ("masks", lambda screen: screen.slide("studio_block", "ArrowRight"), 3),
    "studio_second_mask": ("masks", lambda screen: screen.choose("studio_second_mask", "chunks"), "chunks"),
    "studio_how": ("masks", lambda screen: screen.choose("studio_how", "or"), "or"),
    "fixed_d_k": ("heads", lambda screen: screen.flip("fixed_d_k"), True),
    "shuffle": ("order", another_order, 1),
    "order_mask": ("order", lambda screen: screen.choose("order_mask", "causal"), "causal"),
    "order_positions": ("order", lambda screen: screen.choose("order_positions", "added"), "added"),
    "what_if": ("experiments", lambda screen: screen.choose("what_if", "bias"), "bias"),
    "shifted": ("experiments", lambda screen: screen.choose("shifted", "queries"), "queries"),
    "shift": ("experiments", lambda screen: screen.slide("shift", "ArrowLeft"), 4.5),
    "basis": ("experiments", lambda screen: screen.press("another-basis"), 2),
}
# The links that open pages whose bare link would not show the control, or not the target of its move.
LINKS = {"heads": {"heads": 2}, "experiments": {"what_if": "tied"}}
# Controls that are moved elsewhere: words are dragged in test_fox.py.
DRAGGED = {"word_order"}
# The numbers of composed masks are all in one row of one page, so one of them is moved.
NUMBERS = {number for mask in MASKS | PATTERNS for number in controls_of(Masks(studio_mask=mask, studio_how="alone"))}


def test_every_control_is_moved():
    names = {name for own in PAGES.values() for name in own.knobs()}
    assert set(MOVES) == names - DRAGGED - (NUMBERS - set(MOVES))


@pytest.mark.parametrize("page", PAGES)
def test_a_control_writes_the_url_and_changes_the_figures(screen, page):
    screen.open(f"/{page}", **LINKS.get(page, {})).unfold()
    for name, (of, act, after) in MOVES.items():
        if of != page:
            continue
        if name == "basis":
            # The basis changes only its own figures, not the arcs.
            screen.choose("what_if", "basis")
            screen.until_parameter("what_if", "basis").see("queries-after")
        screen.changed(lambda act=act: act(screen))
        screen.until_parameter(name, written(after))


def test_bands_of_one_matrix_are_told_apart_by_lines(screen):
    for heads, lines in some(((4, 3), (2, 1)), 1):
        screen.open("/heads", heads=heads)
        for figure in ("whole-w_q", "whole", "small"):
            card = screen.see(figure)
            assert card.locator(".att-border").count() == lines, (heads, figure)


@pytest.mark.slow
def test_the_panel_ends_with_what_the_table_of_the_figure_says(screen):
    screen.open("/heads", preset="random", cell="queries.2.1.one_head")
    card = screen.see("queries")
    told = screen.tabulate(card).locator("tbody tr").nth(2).locator("td").nth(1).inner_text()
    formula = screen.page.locator(".att-panel pre").text_content()
    assert formula.rpartition("=")[2].strip() == told.replace("−", "-")
