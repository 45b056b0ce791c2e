"""A sentence that is played word by word: what is chosen meanwhile stays, and lines lead from what is kept."""

import pytest

from pages.shell.i18n import say

pytestmark = pytest.mark.browser

AT = "(at) => document.querySelector('.st-key-plot-player .att-count').textContent === `${at} / 11`"
# Longer than a step takes.
MEANWHILE = 2000


def test_a_word_that_is_chosen_ends_the_play(screen):
    screen.open("/one_token", token_at=1)
    page = screen.page
    play = page.locator(".st-key-plot-player [data-does=play]")
    play.click()
    page.wait_for_function(AT, arg=3)
    page.locator(".att-growing .att-word").nth(7).click()
    page.wait_for_function(AT, arg=8)
    page.wait_for_timeout(MEANWHILE)
    assert page.evaluate(AT, 8)
    assert play.get_attribute("aria-label") == say("ui.told_play")


def test_lines_lead_to_the_newest_word_from_all_that_is_kept(screen):
    screen.open("/one_token", token_at=4)
    card = screen.page.locator(".att-growing")
    card.locator(".att-reading").wait_for(state="attached")
    # A stem for each word before it, and the line that they join.
    assert card.locator(".att-reading").get_attribute("d").count("M") == 3 + 1
    assert card.locator(".att-stored").count() == 3
    # Of the seven words that are to come, a place in each of the two ways.
    assert card.locator(".att-empty").count() == 2 * 7
    # A bar for each key that is computed, and a pale one for each that will be: 11 with a cache, 66 without one.
    assert card.locator(".att-time").count() == 11 + 66
    assert card.locator(".att-time-to-come").count() == (11 - 4) + (66 - 10)
    assert card.locator(".att-head-arc").count() == 0
    rows = screen.tabulate(card).locator("tbody tr")
    counted = [
        rows.nth(at).locator("td").evaluate_all("(cells) => cells.map((one) => one.textContent)") for at in (0, 4)
    ]
    assert [row[:4] for row in counted] == [["1", "4", "1", "1"], ["0", "0", "5", "15"]]


def end_of(card, way):
    circle = card.locator(f"[data-name='end {way}']")
    return [float(circle.get_attribute(name)) for name in ("cx", "cy")]


def test_two_totals_grow_with_the_words(screen):
    screen.open("/one_token", token_at=1)
    card = screen.page.locator(".att-growing")
    assert end_of(card, "cached") == end_of(card, "again")
    # What is to come is seen before anything is touched.
    assert [card.locator(f"[data-name='whole {way}']").text_content() for way in ("cached", "again")] == ["11", "66"]
    screen.page.locator(".st-key-plot-player [data-does=next]").click()
    screen.page.wait_for_function(AT, arg=2)
    card.locator(".att-word").nth(8).click()
    screen.page.wait_for_function(AT, arg=9)
    (x, low), (other, high) = (end_of(card, way) for way in ("cached", "again"))
    assert x == other
    assert high < low
    assert card.locator("[data-name='so far again']").text_content() == "45"


def test_on_a_phone_the_words_stand_once(screen):
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/one_token", token_at=7)
    card = screen.page.locator(".att-growing")
    written = card.locator("svg text").all_text_contents()
    assert [written.count(word) for word in ("brings", "owl", "hen")] == [1, 1, 1]
    card.locator(".att-word").nth(2).click()
    screen.page.wait_for_function(AT, arg=3)
