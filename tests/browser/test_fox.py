"""Words that are dragged into another order, and heads that are switched off, in a real browser: by hand and by key."""

from itertools import pairwise

import pytest

from tests.support.browser import DESKTOP

pytestmark = [pytest.mark.browser]


@pytest.mark.slow
def test_a_word_is_dragged_to_another_place_and_moved_by_key(screen):
    screen.open("/order", word_order="1,2,3,4,5,6,7,8,9,10,11")
    words = screen.card("words").locator(".att-moved-word")
    boxes = [words.nth(at).locator("rect").first.bounding_box() for at in (0, 2)]
    (x, y), (to, _) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    screen.page.mouse.move(x, y)
    screen.page.mouse.down()
    # Between two places, the held word is at the pointer; when it is let go, it moves to its place.
    screen.page.mouse.move(to + 17, y, steps=4)
    held = screen.card("words").locator("[data-name='moved 0']")
    box = held.locator("rect").first.bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(to + 17, abs=1)
    # The held word is drawn above the others, and is filled.
    assert words.last.get_attribute("data-name") == "moved 0"
    assert held.locator("rect").first.evaluate("(box) => getComputedStyle(box).fill") not in (
        "none",
        "rgba(0, 0, 0, 0)",
    )
    screen.page.mouse.up()
    screen.until_parameter("word_order", "2,3,1,4,5,6,7,8,9,10,11")
    assert held.get_attribute("aria-valuenow") == "3"
    held.focus()
    screen.page.keyboard.press("End")
    screen.until_parameter("word_order", "2,3,4,5,6,7,8,9,10,11,1")
    assert screen.page.evaluate("document.activeElement.getAttribute('aria-label')") == "today"


@pytest.mark.slow
def test_a_head_is_switched_off_by_hand_and_on_by_key(screen):
    screen.open("/heads")
    switch = screen.card("switches").get_by_role("switch").nth(3)
    switch.click()
    screen.until_parameter("heads_off", "4")
    screen.until("() => document.querySelector('.att-failed')")
    assert switch.get_attribute("aria-checked") == "false"
    assert screen.card("head-arcs").locator(".att-head-arc.att-off").count() == 1
    switch.focus()
    screen.page.keyboard.press("Space")
    screen.until_parameter("heads_off", None)
    screen.until("() => !document.querySelector('.att-failed')")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_the_lines_are_is_to_be_read_whole(screen, lang):
    """The names beside the lines are never cut, however long a word is and however many lines a name takes."""
    screen.page.set_viewport_size(DESKTOP)
    screen.open("/order", order_positions="added", shuffle=3, lang=lang)
    names = screen.page.evaluate(
        """() => [...document.querySelectorAll(".att-reordered .att-line-name")].map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return { left, right, top, bottom, said: one.textContent };
        })"""
    )
    edge = screen.page.locator(".att-reordered svg").first.bounding_box()["x"]
    words = screen.page.evaluate(
        """() => Math.min(...[...document.querySelectorAll(".att-reordered [data-name^='box ']")]
          .map((one) => one.getBoundingClientRect().left))"""
    )
    assert len(names) == 13
    assert not [one["said"] for one in names if one["left"] < edge or one["right"] > words]
    lines = sorted(names, key=lambda one: one["top"])
    assert not [one["said"] for one, other in pairwise(lines) if other["top"] - one["top"] < 12]
