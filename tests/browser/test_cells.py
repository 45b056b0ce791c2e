"""A click, and Enter on the cell cursor, on figures that are no step: the arithmetic of the cell opens below them."""

import numpy as np
import pytest

from pages.shell.i18n import say
from tests.support.browser import PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_click_on_a_figure_that_is_no_step_opens_its_arithmetic_below_it",
        "test_a_link_to_a_cell_has_its_arithmetic_in_sight",
        "test_another_cell_takes_the_place_of_the_first_and_its_operands_take_no_clicks",
    ),
]
LINK = {"preset": "random", "text": "one two three four five"}


def panel(screen, key: str):
    return screen.page.locator(f".st-key-plot-{key} .att-panel")


@pytest.mark.slow
def test_a_click_on_a_figure_that_is_no_step_opens_its_arithmetic_below_it(screen):
    screen.open("/experiments", what_if="columns", **LINK)
    card = screen.see("columns", "transposed")
    screen.click(card, 1, 3)
    screen.until_parameter("cell", "columns.1.3.transposed")
    opened = panel(screen, "transposed")
    opened.wait_for()
    assert opened.get_by_text(say("rule.softmax_column")).is_visible()
    assert opened.bounding_box()["y"] >= card.bounding_box()["y"] + card.bounding_box()["height"]
    row = screen.numbers(card)[:, 3]
    operands = screen.numbers(screen.see("operands"))
    assert operands[-1] == pytest.approx(np.nan_to_num(row))
    opened.get_by_role("button", name=say("cell.close")).click()
    screen.until_parameter("cell", None)
    opened.wait_for(state="detached")


@pytest.mark.exhaustive("browser/test_keyboard.py::test_enter_and_space_report_the_cell_of_the_cursor")
def test_enter_on_the_cell_cursor_opens_it_too(screen):
    screen.page.set_viewport_size(PHONE)
    screen.open("/heads", **LINK)
    card = screen.see("average", "average")
    card.locator(".att-plot").focus()
    for press in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        screen.page.keyboard.press(press)
    screen.until_parameter("cell", "average.1.1.average")
    opened = panel(screen, "average")
    opened.wait_for()
    assert "`" not in opened.inner_text()
    assert opened.bounding_box()["width"] <= PHONE["width"]


@pytest.mark.slow
def test_another_cell_takes_the_place_of_the_first_and_its_operands_take_no_clicks(screen):
    screen.open("/experiments", what_if="columns", cell="columns.1.2.transposed", **LINK)
    panel(screen, "transposed").wait_for()
    screen.click(screen.see("queries-columns", "as-columns"), 1, 2)
    screen.until_parameter("cell", "queries-columns.1.2.as-columns")
    panel(screen, "as-columns").wait_for()
    # The panel out of sight closes only when it comes near.
    screen.see("columns", "transposed")
    panel(screen, "transposed").wait_for(state="detached")
    screen.click(screen.see("operands"), 1, 1)
    assert screen.settle().parameters["cell"] == "queries-columns.1.2.as-columns"


@pytest.mark.slow
def test_a_link_to_a_cell_has_its_arithmetic_in_sight(screen):
    height = 500
    screen.page.set_viewport_size({"width": 1400, "height": height})
    screen.open("/", cell="queries.1.2.projections")
    box = panel(screen, "large").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= height
    # A reader who scrolls on sees the parts below the panel.
    screen.page.mouse.move(700, height / 2)
    screen.page.mouse.wheel(0, 2000)
    screen.until("() => document.querySelector('.st-key-plot-large .att-panel').getBoundingClientRect().top < 0")
