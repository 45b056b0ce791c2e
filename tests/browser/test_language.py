"""The language of the screen in a browser: the browser's own language, and a switch while figures are on the page."""

import numpy as np
import pytest

from pages.shell.i18n import say
from tests.support.app import HOME
from tests.support.browser import DESKTOP, Screen
from tests.support.covering import some

pytestmark = pytest.mark.browser

AXIS = "(card) => card.querySelector('.att-axis-titles text').textContent"
TITLE = "(text) => document.querySelector('[data-testid=stMain] h1')?.innerText === text"
LINK = {"preset": "random", "text": "注意力机制好", "d_model": "17", "heads": 1}


@pytest.mark.exhaustive("shell/test_language.py::test_a_language_that_there_is_not_settles")
@pytest.mark.parametrize(
    ("locale", "link", "language"),
    # All other tests of a language check that the link's language wins.
    some([("zh-TW", {"lang": "xx"}, "zh"), ("zh-CN", {"lang": "en"}, "en")], 1),
)
def test_the_language_is_that_of_the_link_else_that_of_the_browser(browser, server, locale, link, language):
    with browser.new_context(locale=locale, viewport=DESKTOP) as context:
        screen = Screen(context.new_page(), server)
        screen.open(**link).until(TITLE, say(f"page.{HOME}.title", language))
        assert screen.page.evaluate("document.documentElement.lang") == say("app.language", language)
        # The browser's language is not written into the link: the link opens in the language of its reader.
        assert screen.parameters.get("lang", "auto") == (link["lang"] if link.get("lang") in ("en", "zh") else "auto")
        screen.leave()
        assert not screen.complaints


# test_pages.py switches each page in turn, where it is opened.
@pytest.mark.exhaustive("shell/test_language.py::test_switching_the_language_keeps_the_screen")
def test_a_switch_changes_the_words_and_nothing_else(screen):
    screen.open(**LINK, lang="en")
    card = screen.see("weights")
    before, numbers = screen.cards(), screen.numbers(card)
    assert card.evaluate(AXIS) == say("axis.key", "en")
    link = screen.parameters
    screen.choose("lang", "zh")
    screen.until(TITLE, say("page.walkthrough.title", "zh"))
    card = screen.see("weights")
    screen.until(f"(card) => ({AXIS})(card) === '{say('axis.key', 'zh')}'", card.element_handle())
    assert {place: one["stamp"] for place, one in screen.cards().items()} == {
        place: one["stamp"] for place, one in before.items()
    }
    np.testing.assert_array_equal(screen.numbers(card), numbers)
    assert screen.parameters == link | {"lang": "zh"}
    assert card.locator("h4").inner_text() == say("step.weights.title", "zh")
    card.locator(".att-more").click()
    assert card.locator("[data-item=table]").inner_text() == say("ui.table", "zh")
    card.locator("[data-item=table]").click()
    assert say("axis.query", "zh") in card.locator("th").first.inner_text()
    columns = [name.inner_text() for name in card.locator("thead th").all()[1:]]
    assert columns == [*"注意力机制好", say("ui.sum", "zh")]
