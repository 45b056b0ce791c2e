"""Tiles are gone through by hand and played, a frame stands around the tile, and a click chooses a position."""

import pytest

from pages.shell.i18n import say
from tests.support.browser import PHONE

pytestmark = pytest.mark.browser

# The first and the last row and column of each.
FRAMES = "(card) => [...card.querySelectorAll('.att-frame')].map(({ dataset }) => dataset.ends.split(',').map(Number))"
COUNT = ".st-key-plot-player .att-count"


@pytest.mark.slow
def test_tiles_are_told_played_and_pointed_at(screen):
    screen.open("/tiles", mask="causal", tile_step=4, tile_queries=8, tile_keys=4)
    page = screen.page
    page.locator(".st-key-drawer-tile summary").click()
    scores = screen.see("masked")
    # The colour of the page and that of the text: queries 9 to 11 are the second of two rows of tiles, each of three.
    assert scores.evaluate(FRAMES) == [[8, 10, 0, 3]] * 2
    assert say("tiles.tile") in scores.locator(".att-legend").inner_text()
    screen.changed(lambda: page.locator(".st-key-plot-player [data-does=next]").click())
    screen.until_parameter("tile_at", "scores.8.4")
    assert scores.evaluate(FRAMES) == [[8, 10, 4, 7]] * 2
    page.locator(".st-key-plot-player [data-does=play]").click()
    page.wait_for_function("(count) => document.querySelector(count).textContent === '6 / 6'", arg=COUNT)
    screen.settle()
    assert page.locator(".st-key-plot-player [data-does=next]").is_disabled()
    assert scores.evaluate(FRAMES) == [[8, 10, 8, 10]] * 2
    screen.click(screen.see("receptive-field"), 2, 4)
    screen.until_parameter("field_position", "5")


WHY = "[data-name='followed why']"


def test_a_row_is_followed_by_click_and_by_key_and_stays_under_another_mask(screen):
    """A reader who asks about a word finds it by hand, and by keyboard."""
    screen.open("/tiles", tile_keys=3)
    page = screen.page
    screen.changed(lambda: page.locator(".att-running [data-name='row 8']").click(position={"x": 20, "y": 8}))
    screen.until_parameter("tile_row", "9")
    plot = page.locator(".att-running .att-plot")
    plot.focus()
    screen.changed(lambda: page.keyboard.press("ArrowUp"))
    screen.until_parameter("tile_row", "8")
    screen.until_parameter("tile_at", "scores.4.0")
    word = page.locator(".att-running [data-name='names 7']").text_content()
    assert page.locator(WHY).text_content().startswith(f"'{word}'")
    # The band stands where the word does, and no click is lost below what is drawn.
    assert page.evaluate("document.activeElement.matches('.att-running .att-plot')")


# What moves, and from which width to which.
WATCH = """() => {
  const { animate } = Element.prototype;
  window.moved = [];
  Element.prototype.animate = function (frames, timing) {
    window.moved.push([this.dataset.name, ...frames.map(({ width }) => width)]);
    return animate.call(this, frames, timing);
  };
}"""
BOTTOMS = """() => [
  document.querySelector(".att-running svg").getBoundingClientRect().bottom,
  document.querySelector(".st-key-knobs .stSlider").getBoundingClientRect().top,
]"""


def test_what_was_kept_shrinks_before_ones_eyes_and_on_a_phone_stands_above_the_controls(screen):
    screen.page.set_viewport_size(PHONE)
    screen.page.emulate_media(reduced_motion="no-preference")
    screen.open("/tiles", tile_keys=3, tile_step=1)
    page = screen.page
    page.evaluate(WATCH)
    screen.changed(lambda: page.locator(".st-key-plot-player [data-does=next]").click())
    screen.until("() => window.moved.length > 0").settle()
    # Of 'old', the third word: the sum was 1.33, of which 0.41 are left.
    (before, after) = next((float(a[:-2]), float(b[:-2])) for name, a, b in page.evaluate("moved") if name == "old 2")
    assert after / before == pytest.approx(0.31, abs=0.01)
    svg, bar = page.evaluate(BOTTOMS)
    assert svg < bar
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("() => { window.moved = []; }")
    screen.changed(lambda: page.locator(".st-key-plot-player [data-does=back]").click())
    screen.settle()
    assert page.evaluate("moved") == []


def test_tiles_of_another_size_hide_no_number_that_is_known(screen):
    """What plays when a tile comes would leave sums blank for as long as a slider is held."""
    screen.page.emulate_media(reduced_motion="no-preference")
    screen.open("/tiles", tile_keys=3, tile_queries=4, tile_step=12)
    page = screen.page
    page.evaluate(WATCH)
    screen.changed(lambda: screen.slide("tile_queries", "ArrowRight"))
    screen.until_parameter("tile_queries", "5")
    screen.settle()
    assert page.evaluate("moved") == []
