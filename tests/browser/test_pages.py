"""What every page owes its visitor: a figure at first sight, tables, both themes, a phone, the keyboard."""

from collections.abc import Iterator

import pytest

from tests.support.app import HOME, PAGES
from tests.support.browser import PHONE, Screen

pytestmark = pytest.mark.browser

# Over at once: a page that trains is never still.
BRIEF = {"scaling": {"race_d": 4, "race_seeds": 1, "race_steps": 50}}
each_page = pytest.mark.parametrize("page", PAGES)


def opened(screen: Screen, page: str) -> Screen:
    return screen.open("/" if page == HOME else f"/{page}", **BRIEF.get(page, {}))


@pytest.fixture(scope="module", params=PAGES)
def shown(request, tab, server) -> Iterator[Screen]:
    """One page after the other, opened once for all that is asked of it at its usual size."""
    screen = opened(Screen(tab, server), request.param)
    yield screen
    screen.leave()
    assert not screen.complaints, "\n".join(screen.complaints)


def test_a_figure_is_in_the_first_screen(shown):
    tops = shown.page.evaluate(
        "() => [...document.querySelectorAll('.att-plot')].map((plot) => plot.getBoundingClientRect().top)"
    )
    assert min(tops) < 800


def test_every_figure_can_be_reached_by_keyboard_and_says_what_it_is(shown):
    for plot in shown.page.locator(".att-plot").all():
        assert plot.evaluate("(plot) => plot.tabIndex >= 0 || Boolean(plot.querySelector('[tabindex=\"0\"]'))")
        label = plot.get_attribute("aria-label") or plot.locator("[aria-label]").first.get_attribute("aria-label")
        assert len(label or "") > 20


def test_every_figure_has_a_title_a_summary_and_a_table(shown):
    cards = shown.page.locator(".att-card")
    assert cards.count()
    for card in cards.all():
        name = card.get_attribute("data-figure")
        assert card.locator("h4").inner_text().strip(), name
        assert card.locator(".att-note").inner_text().strip(), name
        card.locator("summary").click()
        card.locator("td").first.wait_for()
        assert card.locator("caption").inner_text().strip(), name
        card.locator("summary").click()


def test_light_and_dark_have_colours_of_their_own(shown):
    colour = "() => getComputedStyle(document.querySelector('.att-card h4')).color"
    light = shown.page.evaluate(colour)
    shown.page.emulate_media(color_scheme="dark")
    shown.until(f"(light) => ({colour})() !== light", light)


@each_page
def test_a_phone_needs_no_sideways_scrolling(phone, page):
    phone.page.goto(f"{phone.base}/{'' if page == HOME else page}")
    phone.page.locator(".att-card").first.wait_for()
    wide = "() => Math.max(...[...document.querySelectorAll('.att-card')].map((c) => c.getBoundingClientRect().right))"
    assert phone.page.evaluate(wide) <= PHONE["width"]
    assert phone.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= PHONE["width"]
