"""Other numbers in a heatmap that is there: painted as Plotly paints them, and Plotly's own again before a zoom."""

import pytest

from tests.support.app import computed, recorded
from tests.support.covering import some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_move_paints_what_plotly_would_draw",
    ),
]

COUNT = """() => {
  const react = window.Plotly.react;
  window.reacts = 0;
  window.Plotly.react = (...given) => { window.reacts += 1; return react(...given); };
}"""
# The image of the cells, and the numbers with their colours and places.
DRAWN = """(card) => [
  card.querySelector('.heatmaplayer image').getAttribute('href'),
  [...card.querySelectorAll('.textpoint text')].map((of) => of.textContent + of.style.fill + of.getAttribute('x')),
]"""
SMALL = {"dropout": 0.1}
LARGE = SMALL | {"preset": "random", "text": " ".join(f"w{place}" for place in range(19))}


def drawn(screen, figure="output", chapter="result"):
    return screen.see(figure, chapter).evaluate(DRAWN)


@pytest.mark.parametrize("link", some([SMALL, LARGE], 1), ids=some(["with numbers", "without"], 1))
def test_a_move_paints_what_plotly_would_draw(screen, link):
    screen.open(**link)
    before = drawn(screen)
    screen.page.evaluate(COUNT)
    screen.changed(lambda: screen.slide("dropout", "ArrowRight"))
    painted = drawn(screen)
    assert painted != before
    assert screen.page.evaluate("window.reacts") == 0
    screen.open(**link | {"dropout": 0.15})
    assert drawn(screen) == painted


def test_a_zoom_finds_the_new_numbers(screen):
    screen.open(**SMALL)
    screen.see("output", "result")
    screen.page.evaluate(COUNT)
    screen.changed(lambda: screen.slide("dropout", "ArrowRight"))
    card = screen.see("output", "result")
    box = card.locator(".heatmaplayer image").bounding_box()
    screen.page.mouse.move(box["x"] + 5, box["y"] + 5)
    screen.page.mouse.down()
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    screen.page.mouse.up()
    screen.until("() => window.reacts === 1")
    shown = screen.numbers(card)
    assert abs(shown - recorded(computed(dropout=0.15), "output")).max() < 1e-5


@pytest.mark.exhaustive("browser/test_figures.py::test_another_number_of_tokens_is_drawn_without_a_failure")
def test_other_tokens_are_plotlys_to_draw(screen):
    screen.open(**LARGE)
    screen.page.evaluate(COUNT)
    screen.changed(lambda: screen.choose("heads", 8))
    screen.see("queries")
    assert screen.page.evaluate("window.reacts") > 0
