"""A mouse that points at a cell: the rows and columns that it lights up, the tip, and the reported cell."""

import math
import re

import numpy as np
import pytest

from tests.support.app import TILED, computed, recorded
from tests.support.covering import some
from tests.support.in_page import TAG

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_click_reports_the_cell_into_the_url_and_its_number_is_told",
        "test_a_cell_marks_its_row_and_column_in_every_figure_by_the_name_of_the_axis",
    ),
]

# "chapter/figure" to the rows and columns that are marked.
BANDS = """() => Object.fromEntries([...document.querySelectorAll('.att-card')].map((card) => {
  const chapter = card.closest('[class*=st-key-]').className.match(/st-key-(?:plot-)?([\\w-]+)/)[1];
  const seen = [...card.querySelectorAll('.att-band')].map((band) => (band.hidden ? null : band.dataset.at));
  return [`${chapter}/${card.dataset.figure}`, seen];
}).filter(([, seen]) => seen.some((at) => at !== null)))"""
POINTED = [("weights", 3, 1), ("output", 2, 5), ("x", 4, 6), ("queries", 1, 11), ("keys", 5, 12), ("w_q", 29, 3)]
# Sizes are pairwise distinct, so that no row can pass for a column.
LINK = {"preset": "random", "d_model": 33, "d_k": 13, "d_v": 7, "heads": 3, "mask": "full"}


def axes_of(shown, id: str) -> tuple[str, str]:
    step = shown.trace[id]
    return ("", *(axis for axis in step.axes if axis not in ("batch", "head")))[-2:]


def expected_bands(shown, places, id: str, row: int, column: int) -> dict[str, list[str | None]]:
    """The bands by the rule: the row or column with the same axis name in every figure. Rows of X are keys, too."""
    axes = {figure: axes_of(shown, figure) for figure in shown.trace} | dict.fromkeys(TILED, axes_of(shown, "weights"))
    rows, columns = axes[id]
    marked = {rows: row, columns: column} | ({"key": row} if id == "x" else {})
    found = {}
    for place in places:
        figure = place.split("/")[1]
        if figure not in axes:
            continue
        rows, columns = axes[figure]
        at_row = marked.get(rows, marked.get("key") if figure == "x" else None)
        both = [None if at is None else str(at) for at in (at_row, marked.get(columns))]
        if both != [None, None]:
            found[place] = both
    return found


def drawn(screen) -> list[str]:
    return [place for place, card in screen.cards().items() if card["drawn"]]


@pytest.mark.slow
def test_a_cell_marks_its_row_and_column_in_every_figure_by_the_name_of_the_axis(screen):
    screen.look(**LINK).unfold()
    # The window is so high that everything is drawn and can be marked.
    screen.page.set_viewport_size({"width": 1400, "height": 8000})
    # The operands of a cell are in a closed drawer.
    screen.until(
        "() => [...document.querySelectorAll('.att-card')]"
        ".filter((card) => card.checkVisibility() && !card.closest('[inert]'))"
        ".every((card) => 'near' in card.dataset)"
    )
    for figure, row, column in some(POINTED, 4):
        screen.point(screen.card(figure), row, column)
        found = screen.page.evaluate(BANDS)
        assert found == expected_bands(computed(**LINK), drawn(screen), figure, row, column), figure


def test_a_band_lies_on_the_row_that_it_marks(screen):
    screen.look(**LINK)
    card = screen.see("weights", "result")
    x, y = screen.point(card, 3, 1)
    for index, at in enumerate(("3", "1")):
        box = card.locator(".att-band").nth(index).bounding_box()
        assert card.locator(".att-band").nth(index).get_attribute("data-at") == at
        assert box["x"] <= x <= box["x"] + box["width"]
        assert box["y"] <= y <= box["y"] + box["height"]
    wide, high = (card.locator(".att-band").nth(index).bounding_box() for index in range(2))
    assert wide["width"] > 5 * wide["height"]
    assert high["height"] > 5 * wide["height"]


def test_leaving_a_figure_unmarks_everything(screen):
    screen.look(**LINK)
    screen.point(screen.see("weights", "result"), 3, 1)
    assert screen.page.evaluate(BANDS) != {}
    screen.page.mouse.move(5, 5)
    assert screen.page.evaluate(BANDS) == {}
    assert not screen.card("weights", "result").locator(".att-tip").is_visible()


def test_the_tip_says_where_the_mouse_is_and_what_is_there(screen):
    screen.look(**LINK)
    card, shown = screen.see("weights", "result"), computed(**LINK)
    weights = recorded(shown, "weights")
    for row, column in ((0, 0), (3, 1), (7, 7)):
        screen.point(card, row, column)
        text = card.locator(".att-tip").inner_text()
        assert re.search(rf"query {shown.tokens[row]}.*key {shown.tokens[column]}", text)
        assert math.isclose(value(text), weights[row, column], rel_tol=1e-4)


def value(text: str) -> float:
    return float(text.rpartition(":")[2].strip().replace("−", "-"))


@pytest.mark.parametrize(("figure", "held"), some([("masked", "−∞"), ("weights", "0")], 1))
def test_the_tip_says_what_a_masked_cell_holds(screen, figure, held):
    screen.look(preset="story")
    card = screen.see(figure)
    screen.point(card, 1, 6)
    assert card.locator(".att-tip").inner_text().rpartition(":")[2].strip() == f"{held} · masked"


def test_beside_the_matrix_nothing_is_marked(screen):
    screen.look(**LINK)
    card = screen.see("weights", "result")
    box = card.locator(".att-plot").bounding_box()
    screen.page.mouse.move(box["x"] + 3, box["y"] + box["height"] - 3)
    assert screen.page.evaluate(BANDS) == {}


def until_cell(screen, cell: str) -> None:
    """Wait until the URL names a cell, perhaps with the chapter of its figure, and the panel of the cell is open."""
    screen.until(
        "(cell) => `${new URLSearchParams(location.search).get('cell')}.`.startsWith(`${cell}.`)"
        " && document.querySelector('.att-panel')",
        cell,
    )


def told(screen) -> list[float]:
    """The numbers in the panel of the cell."""
    texts = screen.page.locator(".att-panel").all_text_contents()
    return [float(text.replace("−", "-")) for text in re.findall(r"[−-]?\d+(?:\.\d+)?", " ".join(texts))]


@pytest.mark.slow
def test_a_click_reports_the_cell_into_the_url_and_its_number_is_told(screen):
    screen.open(**LINK)
    for figure, row, column in (("weights", 3, 1), ("x", 7, 14)):
        card = screen.see(figure)
        number = screen.numbers(card)[row, column]
        assert np.isclose(number, recorded(computed(**LINK), figure)[row, column], rtol=1e-5)
        # Scroll to the middle, since the control bar covers the edge of the screen.
        card.evaluate("(card) => card.scrollIntoView({ block: 'center' })")
        screen.settle()
        screen.click(card, row, column)
        until_cell(screen, f"{figure}.{row}.{column}")
        # The address changes before the rows do.
        screen.settle()
        assert any(np.isclose(number, shown, rtol=2e-3) for shown in told(screen)), figure


def test_a_click_in_a_zoomed_figure_reports_the_cell_under_the_mouse(screen):
    screen.open(**LINK)
    card = screen.see("weights", "result")
    screen.point(card, 1, 1)
    screen.page.mouse.down()
    screen.point(card, 5, 5)
    screen.page.mouse.up()
    zoomed = "(card) => card.querySelector('.att-canvas').heatmap.isZoomed"
    screen.until(zoomed, card.element_handle())
    screen.click(card, 4, 2)
    until_cell(screen, "weights.4.2")


def test_a_click_leaves_the_figures_as_they_are_and_its_link_opens_the_same_cell(screen):
    screen.open(**LINK)
    card = screen.see("weights", "result")
    # Figures that show no step may change: they are about the chosen word.
    steps = computed(**LINK).trace
    before = {place: one for place, one in screen.cards().items() if place.rpartition("/")[2] in steps}
    assert len(before) > 3
    screen.page.evaluate(TAG)
    screen.click(card, 3, 1)
    until_cell(screen, "weights.3.1")
    after = screen.cards()
    for place, was in before.items():
        assert (after[place]["stamp"], after[place]["kept"]) == (was["stamp"], True), place
    assert sum(after[place]["draws"] for place in before) == 0
    open_operands(screen)
    numbers = told(screen)
    screen.page.reload()
    screen.settle()
    until_cell(screen, "weights.3.1")
    open_operands(screen)
    assert told(screen) == numbers


def open_operands(screen) -> None:
    """Open the drawer of the operands."""
    screen.page.locator(".att-panel summary").click()
    screen.see("operands")
