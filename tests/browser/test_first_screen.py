"""The screen above the fold: the sentence with its arcs and numbers, the controls and their effect, why one word
answers, and what each head asks."""

from itertools import pairwise

import pytest

from pages.shell.i18n.numbers import fixed
from pages.shell.views import why
from tests.support.app import linked
from tests.support.browser import PHONE
from tests.support.covering import EVERY_TEST, some

pytestmark = pytest.mark.browser
WINDOW = {"width": 1400, "height": 900}
# The opening page; a page with the most to choose from; one with two notes and the controls of training.
LINKS = (
    {},
    {"preset": "random", "d_k": 11, "heads": 13, "bias": True},
    {"d_k": 5, "bias": True, "mask": "window", "width": 3, "text": "the fox sings to a wug"},
)
# The top and bottom of each part, from the top of the window.
PLACES = """(parts) => parts.map((part) => {
  const { top, bottom, height } = document.querySelector(part).getBoundingClientRect();
  return [part, height ? Math.round(top) : -1, Math.round(bottom)];
})"""
SENTENCE = [".st-key-title-walkthrough p", ".att-arcs"]
# Texts below 14 pixels that are no number of a cell, and all texts below 11.
SMALL = """() => {
  const parts = '.att-arcs, .att-products, .att-asking, .att-moved, .att-strip, .att-film';
  const numbers = '[class*=-number], .att-small, .att-product-in, sub, math, .att-unseen';
  const writes = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll(parts)].flatMap((part) => [...part.querySelectorAll('*')])
    .filter((one) => one.checkVisibility() && writes(one))
    .filter((one) => parseFloat(getComputedStyle(one).fontSize) < (one.closest(numbers) ? 11 : 14))
    .map((one) => `${one.className.baseVal ?? one.className}: ${one.textContent}`);
}"""


def places(screen, *parts: str) -> None:
    """Each part ends where the next one begins, or before; the last one begins in sight."""
    height = screen.page.viewport_size["height"]
    at = screen.page.evaluate(PLACES, list(parts))
    for (before, _, end), (after, start, _) in pairwise(at):
        assert end <= start + 2, (before, after, at)
    assert at[-1][1] <= height, at


@pytest.mark.parametrize("link", some(LINKS, 3 if EVERY_TEST else 2), ids=str)
@pytest.mark.slow
def test_a_desktop_has_a_word_its_reasons_and_the_controls_in_sight(screen, link):
    screen.page.set_viewport_size(WINDOW)
    screen.open("/", **link)
    below = [".st-key-bar", ".att-moved", ".att-products"]
    places(screen, *SENTENCE, *below)
    places(screen, *SENTENCE, *below[:2], ".att-asking")
    assert screen.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= WINDOW["width"]
    if not link:
        assert screen.page.evaluate(SMALL) == []
        # The page is short: longer parts are in closed drawers.
        assert screen.page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 4 * 900
        # The text about a moved control shifts nothing above it.
        before = screen.page.evaluate(PLACES, [".att-arcs", ".st-key-bar", ".att-moved p"])
        screen.changed(lambda: screen.slide("dropout", "ArrowRight"))
        assert screen.page.evaluate(PLACES, [".att-arcs", ".st-key-bar", ".att-moved p"])[:2] == before[:2]
        screen.page.set_viewport_size(PHONE)
        if EVERY_TEST:
            # Open the page on the phone; the fast form only shrinks the window.
            screen.page.reload()
        screen.settle()
        places(screen, *SENTENCE, ".st-key-bar")
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


NUMBERS = """() => [...document.querySelectorAll('.att-products [class*=-number], .att-products .att-product-in')].map(
  (one) => [one.getAttribute('class'), one.textContent])"""


@pytest.mark.slow
def test_of_many_features_numbers_have_as_many_decimals_for_every_pair_and_what_goes_back_has_its_number(screen):
    """The numbers of eight features had from two to five decimals, different from pair to pair, and a product below
    zero was a line without a number."""
    screen.open("/", heads=2)
    found = []
    # fox, owl, hen.
    for key in (3, 6, 10):
        screen.open("/", heads=2, cell=f"weights.4.{key}.arcs")
        found += screen.page.evaluate(NUMBERS)
    assert len(found) > 3 * 2 * 8
    assert {len(text.partition(".")[2]) for _, text in found} == {2}
    screen.open("/", heads=2, d_k=16)
    [back] = [text for kind, text in screen.page.evaluate(NUMBERS) if kind == "att-back-number"]
    shown = linked("walkthrough", heads="2", d_k="16")
    [block] = why.why(shown)
    products = [one[2] for one in block["cards"][0]["products"]["products"]]
    assert back == fixed(sum(one for one in products if one < 0))
