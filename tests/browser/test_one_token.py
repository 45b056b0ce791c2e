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
    assert card.locator(".att-head-arc").count() == 0
    rows = screen.tabulate(card).locator("tbody tr")
    counted = [
        rows.nth(at).locator("td").evaluate_all("(cells) => cells.map((one) => one.textContent)") for at in (0, 4)
    ]
    assert [row[:2] for row in counted] == [["1", "4"], ["0", "0"]]
