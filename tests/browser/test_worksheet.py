"""The worksheet that a click downloads, on paper: each sheet on a page of its own, and the keys after the sheets."""

import re

import pytest

from pages.shell.exports.worksheet import name
from pages.shell.i18n import say
from tests.support.app import computed
from tests.support.browser import Screen

pytestmark = pytest.mark.browser

# The widest and highest sheet possible: long words, a mask, a scale that is no whole number.
LINK = {
    "preset": "random",
    "text": "WWWWWWWWWWWWWWWW MMMMMMMMMMMMMMMM <img-onerror-alert>",
    "scale": "sqrt_d_model",
    "seed": 7,
}
FITS = "(sheet) => sheet.scrollWidth <= sheet.clientWidth"
PAGE = re.compile(rb"/Type\s*/Page\b")


def downloaded(screen: Screen, count: int) -> str:
    """The downloaded file with so many sheets."""
    screen.page.locator(".st-key-drawer-files summary").click()
    offer = screen.page.locator(".att-file[data-file=worksheet]")
    offer.locator("input").fill(str(count))
    with screen.page.expect_download() as coming:
        offer.get_by_role("button", name=say("worksheet.label", "zh")).click()
    assert coming.value.suggested_filename == name(computed(**LINK).config, count)
    with open(coming.value.path(), encoding="utf-8") as file:
        return file.read()


@pytest.mark.slow
def test_a_click_brings_sheets_that_fit_the_paper_in_the_language_of_the_screen(screen):
    screen.open(**LINK, lang="zh")
    text = downloaded(screen, 5)
    paper = screen.page.context.browser.new_page()
    try:
        paper.set_content(text)
        assert paper.locator("html").get_attribute("lang") == say("app.language", "zh")
        assert paper.locator(".sheet h1").all_inner_texts() == [
            f"{say('worksheet.title', 'zh')} · {say('worksheet.number', 'zh', number=number)}"
            for number in range(7, 12)
        ]
        paper.emulate_media(media="print")
        for size in ("A4", "Letter"):
            # Each sheet is a page, the questions are one more, and two keys of this height fit a page.
            assert len(PAGE.findall(paper.pdf(format=size))) == 5 + 1 + 3
        paper.set_viewport_size({"width": 703, "height": 900})
        assert all(paper.locator(".sheet").nth(at).evaluate(FITS) for at in range(5))
    finally:
        paper.close()
