"""Cells from the keyboard: a figure is walked through, says where one is, and reports the cell of its cursor."""

import math
import re

import pytest

from tests.browser.test_pointer import BANDS, LINK, until_cell, value
from tests.support.app import computed, recorded

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_figure_is_walked_through_from_the_keyboard",
        "test_enter_and_space_report_the_cell_of_the_cursor",
        "test_the_menu_of_a_figure_is_walked_through_from_the_keyboard",
    ),
]

SAID = "() => document.querySelector('.att-said').textContent"


@pytest.mark.slow
def test_a_figure_is_walked_through_from_the_keyboard(screen):
    screen.look(**LINK)
    card, shown = screen.see("weights", "result"), computed(**LINK)
    plot = card.locator(".att-plot")
    cursor = card.locator(".att-cursor")
    plot.focus()
    walk = [
        ("ArrowRight", "0,0"),
        ("ArrowDown", "1,0"),
        ("ArrowRight", "1,1"),
        ("ArrowUp", "0,1"),
        ("ArrowUp", "0,1"),
        ("End", "0,7"),
        ("ArrowRight", "0,7"),
        ("Home", "0,0"),
        ("ArrowLeft", "0,0"),
        ("ArrowDown", "1,0"),
    ]
    for press, at in walk:
        plot.press(press)
        assert (cursor.get_attribute("data-at"), cursor.is_visible()) == (at, True), (press, at)
        row, column = map(int, at.split(","))
        said = screen.page.evaluate(SAID)
        assert re.search(rf"query {shown.tokens[row]}, key {shown.tokens[column]}", said)
        assert math.isclose(value(said), recorded(shown, "weights")[row, column], rel_tol=1e-4)
    assert screen.page.evaluate(BANDS)["result/weights"] == ["1", "0"]


def test_the_announcement_is_polite(screen):
    screen.look(**LINK)
    assert screen.page.locator(".att-said").get_attribute("aria-live") == "polite"
    assert screen.page.locator(".att-said").count() == 1


def test_escape_takes_the_cursor_away(screen):
    screen.look(**LINK)
    card = screen.see("weights", "result")
    plot = card.locator(".att-plot")
    plot.focus()
    plot.press("ArrowRight")
    plot.press("Escape")
    assert not card.locator(".att-cursor").is_visible()
    assert screen.page.evaluate(BANDS) == {}
    plot.press("Enter")
    assert "cell" not in screen.parameters


def test_leaving_with_the_keyboard_takes_the_cursor_away(screen):
    screen.look(**LINK)
    card = screen.see("weights", "result")
    card.locator(".att-plot").focus()
    card.locator(".att-plot").press("ArrowRight")
    card.locator(".att-plot").press("Tab")
    assert not card.locator(".att-cursor").is_visible()
    assert screen.page.evaluate(BANDS) == {}


def test_every_figure_can_be_reached_with_the_tab_key_and_has_a_name(screen):
    screen.look(**LINK)
    for plot in screen.page.locator(".att-plot").all():
        # In a sentence, the Tab key reaches one of the words.
        assert plot.get_attribute("tabindex") == "0" or plot.locator("[tabindex='0']").count() == 1
        title = plot.evaluate("(plot) => plot.closest('.att-card').querySelector('h4').textContent")
        assert title in plot.get_attribute("aria-label")


@pytest.mark.slow
def test_the_menu_of_a_figure_is_walked_through_from_the_keyboard(screen):
    screen.look(**LINK)
    card = screen.see("weights", "result")
    more, entries = card.locator(".att-more"), card.locator("[role=menu] > *")
    focused = "() => document.activeElement.dataset.item ?? document.activeElement.className"
    more.press("Enter")
    assert more.get_attribute("aria-expanded") == "true"
    items = entries.evaluate_all("(entries) => entries.map(({ dataset }) => dataset.item)")
    assert items == ["png", "svg", "embed", "table"]
    for press, at in (
        ("ArrowUp", "table"),
        ("ArrowDown", "png"),
        ("End", "table"),
        ("Home", "png"),
        ("Escape", "att-more"),
    ):
        screen.page.keyboard.press(press)
        assert screen.page.evaluate(focused) == at, press
    assert (more.get_attribute("aria-expanded"), entries.count()) == ("false", 0)
    more.press("ArrowUp")
    assert entries.last.get_attribute("aria-checked") == "false"
    screen.page.keyboard.press("Enter")
    assert screen.page.evaluate(focused) == "att-table"
    more.press("ArrowUp")
    assert entries.last.get_attribute("aria-checked") == "true"
    screen.page.keyboard.press("Enter")
    assert card.locator(".att-table").is_hidden()
    more.click()
    card.locator("h4").click()
    assert entries.count() == 0


# This test is the last one, because it leaves another screen behind.
@pytest.mark.slow
def test_enter_and_space_report_the_cell_of_the_cursor(screen):
    screen.look(**LINK).spoil()
    plot = screen.see("weights", "result").locator(".att-plot")
    plot.focus()
    for arrow in ("ArrowDown", "ArrowDown", "ArrowRight"):
        plot.press(arrow)
    plot.press("Enter")
    until_cell(screen, "weights.1.1")
    plot.press("ArrowDown")
    plot.press(" ")
    until_cell(screen, "weights.2.1")
