"""The pipeline by hand: a step is chosen by a click and with the arrow keys, a head in its tile; one sentence follows
the other; a cell of a figure further down is explained here."""

import numpy as np
import pytest

from pages.shell.i18n import say
from tests.support.app import computed
from tests.support.browser import PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_pipeline_by_hand",
        "test_a_tile_has_the_colours_of_the_large_figure",
    ),
]
LINK = {"preset": "random", "text": "one two three four five", "heads": 3, "dropout": 0.3}
CHOSEN = """(id) => document.querySelector('.st-key-pipeline .att-card')?.dataset.figure === id
  && document.querySelector('.att-tile[aria-checked=true]')?.dataset.step === id"""
PAINTED = """() => [...document.querySelectorAll('.att-tile[aria-disabled=false]')].every((tile) =>
  tile.dataset.drawn === tile.dataset.stamp && tile.dataset.stamp)"""
# The shown colours of a tile, one pixel for each cell.
PIXELS = """(tile) => {
  const { width, height } = tile.querySelector('.att-cells canvas');
  const { data } = tile.querySelector('.att-cells canvas').getContext('2d').getImageData(0, 0, width, height);
  return Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, column) =>
    Array.from(data.slice(4 * (row * width + column), 4 * (row * width + column) + 4))));
}"""
BAND = "(tile) => [...tile.querySelectorAll('.att-at:not([hidden])')].map((band) => parseFloat(band.style.top))"


def tile(screen, step: str):
    return screen.page.locator(f".att-tile[data-step={step}]")


@pytest.mark.slow
def test_a_tile_has_the_colours_of_the_large_figure(screen):
    screen.look("/", **LINK, step="weights")
    screen.until(PAINTED)
    pixels = np.array(tile(screen, "weights").evaluate(PIXELS))
    drawn = screen.numbers(screen.see("weights", "large"))
    # Hidden cells are transparent.
    np.testing.assert_array_equal(pixels[..., 3] == 0, np.isnan(drawn))
    image = screen.card("weights", "large").locator(".att-painted").evaluate("(cells) => cells.toDataURL()")
    large = screen.page.evaluate(
        """async ([href, rows, columns]) => {
          const image = Object.assign(new Image(), { src: href });
          await image.decode();
          const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0);
          const at = (place, count, size) => (place + 0.5) * size / count;
          return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => Array.from(
            context.getImageData(at(column, columns, image.width), at(row, rows, image.height), 1, 1).data)));
        }""",
        [image, *drawn.shape],
    )
    seen = ~np.isnan(drawn)
    # A tile has 255 shades.
    np.testing.assert_allclose(pixels[seen], np.array(large)[seen], atol=3)


@pytest.mark.slow
def test_the_pipeline_by_hand(screen):
    screen.look("/", **LINK).spoil()
    screen.until(PAINTED)
    tile(screen, "scores").locator(".att-cells").click()
    screen.until(CHOSEN, "scores").until_parameter("step", "scores")
    np.testing.assert_allclose(
        screen.numbers(screen.see("scores", "large")), computed(**LINK).matrix("scores"), rtol=1e-5
    )
    for key, step in (("ArrowRight", "scaled"), ("End", "projected"), ("ArrowLeft", "w_o"), ("Home", "x")):
        screen.page.keyboard.press(key)
        screen.until(CHOSEN, step).until_parameter("step", step)
    assert screen.page.evaluate("document.activeElement.dataset.step") == "x"
    assert screen.page.locator(".att-tile[tabindex='0']").count() == 1
    # Heads have lines of their own, and steps a film, so the tile's heads and the sentence are hidden. A link or a
    # lecture with `told` shows the sentence.
    assert not tile(screen, "weights").locator(".att-heads").is_visible()
    assert not screen.page.locator(".att-told").is_visible()
    screen.card("asking").locator(".att-head-line").nth(2).click()
    screen.until_parameter("head", "3")
    screen.open("/", **LINK, head=3, told=1)
    screen.until(CHOSEN, "x")
    screen.page.locator(".att-told [data-does=play]").click()
    screen.until(CHOSEN, "queries").until_parameter("told", "2")
    screen.page.locator(".att-told [data-does=play]").click()
    screen.until("() => document.querySelector('.att-told [data-does=play]').textContent === '▶'")
    # The cell under the pointer in a large figure is marked in all tiles; without a pointer, the chosen pair is.
    assert tile(screen, "scores").evaluate(BAND) == [80]
    screen.point(screen.see("queries", "large"), 1, 0)
    screen.until("() => document.querySelector('.att-tile[data-step=scores] .att-at').style.top === '20%'")


def test_a_cell_further_down_is_told_above_and_its_link_opens_there(screen):
    screen.open("/", **LINK)
    screen.click(screen.see("values", "projections"), 2, 1)
    screen.until(CHOSEN, "values").until_parameter("cell", "values.2.1.projections")
    panel = screen.page.locator(".st-key-plot-large .att-panel")
    assert say("step.values.title") in panel.inner_text()
    assert screen.page.evaluate(
        "(panel) => panel.getBoundingClientRect().bottom <= innerHeight", panel.element_handle()
    )
    # One of the cards is an operand, whose own cell was not clicked.
    frame = screen.card("values", "large").locator(".att-chosen")
    assert frame.get_attribute("data-at") == "2,1"
    screen.page.set_viewport_size(PHONE)
    screen.open("/", **LINK, cell="scaled.3.1.scores")
    screen.until(CHOSEN, "scaled")
    screen.until(
        "() => { const box = document.querySelector('.st-key-plot-large .att-panel').getBoundingClientRect();"
        " return box.top >= 0 && box.bottom <= innerHeight; }"
    )
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_cell_in_the_map_of_a_head_is_told_above(screen):
    screen.open("/")
    screen.click(screen.see("learned-head-2", "learned_heads"), 5, 6)
    screen.until(CHOSEN, "weights").until_parameter("head", "2").until_parameter("cell", "weights.5.6.learned")
    assert screen.card("weights", "large").locator(".att-chosen").get_attribute("data-at") == "5,6"
    assert say("heads.of", head=2, heads=4) in screen.card("weights", "large").inner_text()
    panel = screen.page.locator(".st-key-plot-large .att-panel")
    assert say("step.weights.title") in panel.inner_text()
    assert screen.page.locator(".att-panel").count() == 1
