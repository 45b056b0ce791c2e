"""The sentence with arcs, in a real browser: widths, words chosen by hand and key, its table, and a phone."""

import pytest

from tests.support.app import computed
from tests.support.browser import PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_words_are_chosen_and_arcs_follow",
    ),
]
WIDTHS = "(card) => [...card.querySelectorAll('.att-arc')].map((arc) => Number(arc.getAttribute('stroke-width')))"
CHOSEN = "() => document.querySelector('.att-word[aria-selected=true] text').textContent"
NUMBERED = """async ([at, weights]) => {
  const { apart } = await import('/assets/plot/arcs.js');
  return [...apart(at.map((middle) => ({ middle })), weights, 27)];
}"""


def test_words_are_chosen_and_arcs_follow(screen):
    screen.open(preset="story")
    card = screen.card("arcs")
    weights = computed(preset="story").matrix("weights")
    assert card.evaluate(WIDTHS) == pytest.approx(
        [16 * weight for weight in weights[3].tolist() if weight >= 0.005], 0.01
    )

    screen.changed(lambda: card.locator(".att-word").nth(7).click())
    assert screen.page.evaluate(CHOSEN) == "forest"
    assert screen.parameters["cell"] == "weights.7.6.result"
    assert card.evaluate(WIDTHS) == pytest.approx(
        [16 * weight for weight in weights[7].tolist() if weight >= 0.005], 0.01
    )

    card.locator(".att-word").nth(7).focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        screen.page.keyboard.press(key)
    screen.changed(lambda: screen.page.keyboard.press("Enter"))
    assert screen.page.evaluate(CHOSEN) == "blue"
    # The next key goes on from there.
    assert screen.page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"

    # Numbers have room: of two words that are close to each other, the larger one has its number.
    for at, weights, numbered in (
        ([10, 36, 90, 120], [0.1, 0.2, 0.04, 0.3], [3, 1]),
        ([10, 37], [0.05, 0.05], [0, 1]),
        ([10], [0.0], []),
    ):
        assert screen.page.evaluate(NUMBERED, [at, weights]) == numbered

    cells = screen.tabulate(card).locator("tbody tr").all_inner_texts()
    assert [line.split()[0] for line in cells] == list(computed(preset="story").tokens)


def test_a_long_sentence_scrolls_within_itself_on_a_phone(screen):
    screen.page.set_viewport_size(PHONE)
    screen.open(preset="random", text=" ".join(f"word{index}" for index in range(29)))
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    plot = screen.card("arcs").locator(".att-plot")
    width, seen, at = plot.evaluate("(plot) => [plot.scrollWidth, plot.clientWidth, plot.scrollLeft]")
    assert width > 3 * seen
    # The word that is looked at is the last one, and in sight.
    assert at == pytest.approx(width - seen, abs=2)
    # Its arcs do not pass behind the button of its menu.
    box, menu = plot.bounding_box(), screen.card("arcs").locator(".att-more").bounding_box()
    assert box["x"] + box["width"] <= menu["x"]
    assert menu["x"] + menu["width"] <= PHONE["width"]
    size = plot.evaluate("(plot) => parseFloat(getComputedStyle(plot.querySelector('.att-word text')).fontSize)")
    assert size >= 13
