"""The first visit: nothing is cut, nothing covers the visitor's target, and Back leads to the former sentence."""

import pytest

from pages.shell.i18n.options import word
from tests.support.browser import PHONE

pytestmark = pytest.mark.browser
OPEN = "[data-testid=stPopoverBody]"
# By how many pixels an element's content is wider than the element.
OVER = "(of) => { const one = document.querySelector(of); return one.scrollWidth - one.clientWidth }"
OWN = "the robot brings the owl to the hen"


@pytest.mark.slow
def test_on_the_opening_page(screen):
    """One visit: the header of a phone, the verdict, the arithmetic of a score, the bar of a window, a word without an
    end."""
    # The header of a phone is opaque: no text shows through.
    screen.page.set_viewport_size(PHONE)
    screen.open(step="scores")
    colour = "getComputedStyle(document.querySelector('[data-testid=stHeader]')).backgroundColor"
    assert screen.page.evaluate(colour) == screen.page.evaluate("getComputedStyle(document.body).backgroundColor")
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.settle()
    note = screen.page.locator('[data-figure="arcs"] .att-note')
    assert "0.95 from 'fox'" in note.inner_text()
    assert note.bounding_box()["y"] < screen.page.locator(".att-word").first.bounding_box()["y"]
    assert note.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 14
    assert screen.page.evaluate(OVER, ".st-key-plot-large .att-panel .att-whole") <= 0
    high = screen.page.locator(".st-key-bar").bounding_box()["height"]
    screen.choose("mask", "window")
    screen.widget("width").wait_for()
    screen.settle()
    assert screen.page.locator(".st-key-bar").bounding_box()["height"] == high
    screen.page.locator(".att-own-edit").click()
    screen.page.locator(".att-own-field").fill(f"{'a' * 400} b")
    screen.page.keyboard.press("Enter")
    screen.until("() => document.querySelectorAll('.att-word').length === 2")
    assert screen.page.evaluate(OVER, "[data-testid=stMain]") <= 0


@pytest.mark.slow
def test_back_leads_to_the_sentence_that_was_there_before_and_a_lecture_closes_what_it_was_begun_in(screen):
    screen.open()
    screen.page.locator(".att-own-edit").click()
    screen.page.locator(".att-own-field").fill(OWN)
    screen.page.keyboard.press("Enter")
    robot = "() => [...document.querySelectorAll('.att-word text')].some((one) => one.textContent === 'robot')"
    screen.until(robot)
    screen.until_parameter("text", OWN)
    screen.settle()
    screen.page.go_back()
    screen.until_parameter("text", None)
    screen.until(f"() => !({robot})()")
    screen.open_panel("tool-share")
    screen.page.locator(OPEN).get_by_role("radio", name=word("lecture", "tour")).click()
    screen.until("() => document.querySelector('.st-key-lecture-bar')")
    screen.page.locator(OPEN).wait_for(state="hidden")
