"""Tiles are stepped through and played, a frame stands around the tile, and a click chooses a position."""

import pytest

from pages.shell.i18n import say
from pages.shell.views import tiling
from tests.support.app import linked
from tests.support.browser import PHONE

pytestmark = pytest.mark.browser

# The first and the last row and column of each frame.
FRAMES = "(card) => [...card.querySelectorAll('.att-frame')].map(({ dataset }) => dataset.ends.split(',').map(Number))"
COUNT = ".st-key-plot-player .att-count"


@pytest.mark.slow
def test_tiles_are_told_played_and_pointed_at(screen):
    screen.open("/tiles", mask="causal", tile_step=4, tile_queries=8, tile_keys=4)
    page = screen.page
    page.locator(".st-key-drawer-tile summary").click()
    scores = screen.see("masked")
    # A frame in the page's colour and one in the text's. Queries 9 to 11 are the second of two rows of three tiles.
    assert scores.evaluate(FRAMES) == [[8, 10, 0, 3]] * 2
    assert say("tiles.tile") in scores.locator(".att-legend").inner_text()
    screen.changed(lambda: page.locator(".st-key-plot-player [data-does=next]").click())
    screen.until_parameter("tile_at", "scores.8.4")
    assert scores.evaluate(FRAMES) == [[8, 10, 4, 7]] * 2
    page.locator(".st-key-plot-player [data-does=play]").click()
    page.wait_for_function("(count) => document.querySelector(count).textContent === 'Tile 6 / 6'", arg=COUNT)
    screen.settle()
    assert page.locator(".st-key-plot-player [data-does=next]").is_disabled()
    assert scores.evaluate(FRAMES) == [[8, 10, 8, 10]] * 2
    screen.click(screen.see("receptive-field"), 2, 4)
    screen.until_parameter("field_position", "5")


SAID = "[data-name='followed said']"
# The middle of a cell in one of the two matrices, in pixels of the window.
CELL = """([of, row, column]) => {
  const frame = document.querySelector(`.att-running [data-name="${of}"]`).getBoundingClientRect();
  return [frame.x + (column + 0.5) * frame.width / 11, frame.y + (row + 0.5) * frame.height / 11];
}"""


@pytest.mark.slow
def test_the_tile_goes_where_the_finger_is_and_by_key_and_the_row_is_followed(screen):
    """The tile is the only thing to drag. It stands under the finger while it is held."""
    screen.open("/tiles", tile_keys=3, tile_queries=4)
    page = screen.page
    page.mouse.move(*page.evaluate(CELL, ["around", 0, 0]))
    page.mouse.down()
    page.mouse.move(*page.evaluate(CELL, ["around", 8, 7]), steps=5)
    page.wait_for_function("(count) => document.querySelector(count).textContent === 'Tile 11 / 12'", arg=COUNT)
    assert "tile_at" not in page.url
    assert "'the₃'" in page.locator(SAID).text_content()
    page.mouse.up()
    screen.until_parameter("tile_at", "scores.8.6").until_parameter("tile_row", "9")
    # A click in the matrix of the usual way leads to the same place.
    page.mouse.click(*page.evaluate(CELL, ["whole frame", 5, 1]))
    screen.until_parameter("tile_at", "scores.4.0").until_parameter("tile_row", "6")
    plot = page.locator(".att-running .att-plot")
    plot.focus()
    page.keyboard.press("ArrowRight")
    screen.until_parameter("tile_at", "scores.4.3")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    screen.until_parameter("tile_at", "scores.0.3").until_parameter("tile_row", "4")
    word = page.locator(".att-running [data-name='names 1 3']").text_content()
    screen.settle()
    assert f"'{word}'" in page.locator(SAID).text_content()
    # A click along the followed row moves the tile and keeps the row.
    strip = page.locator(".att-running [data-hand=row]").bounding_box()
    page.mouse.click(strip["x"] + 9.5 * strip["width"] / 11, strip["y"] + strip["height"] / 2)
    screen.until_parameter("tile_at", "scores.0.9").until_parameter("tile_row", "4")
    plot.focus()
    assert page.evaluate("document.activeElement.matches('.att-running .att-plot')")


def test_the_usual_way_has_all_scores_in_sight_and_the_tile_none_but_its_own(screen):
    """The point of the page, in pixels: only scores in memory have colours."""
    screen.open("/tiles", tile_keys=3, tile_queries=4, tile_step=7)
    counts = screen.page.evaluate(
        """async () => Promise.all(["whole", "in memory"].map(async (name) => {
          const image = new Image();
          image.src = document.querySelector(`.att-running [data-name="${name}"]`).getAttribute("href");
          await image.decode();
          const canvas = document.createElement("canvas");
          Object.assign(canvas, { width: image.width, height: image.height });
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const { data } = context.getImageData(0, 0, image.width, image.height);
          return data.filter((byte, at) => at % 4 === 3 && byte > 0).length;
        }))"""
    )
    assert counts == [121, 12]
    numbers = screen.page.locator(".att-running .att-big").all_text_contents()
    assert numbers == ["121", "12"]
    assert screen.page.locator(".att-running .att-agrees").count() == 4


@pytest.mark.slow
def test_the_row_and_what_is_kept_of_it_stand_beside_the_scores_and_on_a_phone_come_first(screen):
    """One row is the smallest story: the scores that are thrown away, those in memory, and three numbers that go on."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    link = {"tile_keys": 3, "tile_queries": 4, "tile_step": 6}
    screen.open("/tiles", **link)
    [block] = tiling.running.blocks(linked("tiles", **link))
    labels = block["cards"][0]["labels"]
    page = screen.page

    def box(name: str) -> dict:
        return page.locator(f".att-running [data-name='{name}']").bounding_box()

    def right(name: str) -> float:
        return box(name)["x"] + box(name)["width"]

    def shown(name: str) -> list[str]:
        return page.locator(f".att-running [data-name^='{name}']").all_text_contents()

    assert right("row around") < box("whole frame")["x"]
    # The second three of eleven cells, between the past and the coming ones.
    cell = box("row around")["width"] / 11
    assert box("row tile")["x"] - box("row around")["x"] == pytest.approx(3 * cell, abs=3)
    assert box("row tile")["width"] == pytest.approx(3 * cell, abs=4)
    assert (shown("row gone"), shown("row to_come")) == ([labels["gone"]], [labels["to_come"]])
    chain = labels["chain"]
    for size in (None, PHONE):
        if size:
            page.set_viewport_size(size)
            screen.settle()
            screen.until("() => document.querySelector('.att-running svg').clientWidth < 400")
        assert shown("row score") == labels["hand"]
        assert shown("largest number") == [labels["so_far"]]
        assert shown("chain number") == chain["numbers"]
        assert [shown(f"cell {at} number") for at in range(5)] == chain["cells"]
    # On a phone the row comes first. Below it both matrices stand side by side, the tile's first.
    assert box("cell 3 3")["y"] < box("around")["y"] == pytest.approx(box("whole frame")["y"], abs=2)
    assert right("outputs 1") < box("whole frame")["x"]
    assert right("outputs 0") < PHONE["width"]
    sides = page.locator(".st-key-tile_queries"), page.locator(".st-key-tile_keys")
    heights = [side.bounding_box()["y"] for side in sides]
    assert heights[0] == pytest.approx(heights[1], abs=1)
    assert heights[0] < box("followed said")["y"]
    # The end of the row's numbers is above the controls at the edge of the screen.
    told, bar = page.evaluate(BOTTOMS)
    assert told < bar


# Records each animated part with its heights from start to end.
WATCH = """() => {
  const { animate } = Element.prototype;
  window.moved = [];
  Element.prototype.animate = function (frames, timing) {
    window.moved.push([this.dataset.name, ...frames.map(({ height }) => height)]);
    return animate.call(this, frames, timing);
  };
}"""
# The lower end of the followed row's numbers, and the upper end of the controls.
BOTTOMS = """() => [".att-running [data-name='cell 3 3']", ".st-key-knobs [role=radiogroup]"].map((name, at) =>
  document.querySelector(name).getBoundingClientRect()[at ? "top" : "bottom"])"""


@pytest.mark.slow
def test_what_was_kept_shrinks_before_ones_eyes_and_on_a_phone_stands_above_the_controls(screen):
    screen.page.set_viewport_size(PHONE)
    screen.open("/tiles", tile_keys=3, tile_step=1, tile_row=3)
    page = screen.page
    page.evaluate(WATCH)
    screen.changed(lambda: page.locator(".st-key-plot-player [data-does=next]").click())
    screen.until("() => window.moved.length > 0").settle()
    # The sum of 'old' was 1.33, of which 0.41 are left. Each of its three blocks shrinks by the same factor.
    heights = {name: ends for name, *ends in page.evaluate("moved")}
    for at in range(3):
        before, after = (float(one[:-2]) for one in heights[f"block 1 {at}"])
        assert after / before == pytest.approx(0.31, abs=0.01)
    # The new blocks come after the shrinking.
    assert {f"block 2 {at}" for at in range(3)} < heights.keys()
    told, bar = page.evaluate(BOTTOMS)
    assert told < bar
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("() => { window.moved = []; }")
    screen.changed(lambda: page.locator(".st-key-plot-player [data-does=back]").click())
    screen.settle()
    assert page.evaluate("moved") == []


def test_sum_and_output_are_seen_to_shrink_by_the_same_factor(screen):
    """The shrinking of the output is half of the correction, which a picture of the sum alone did not show."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open("/tiles", tile_keys=3, tile_step=2, tile_row=3)

    def box(name: str) -> dict:
        return screen.page.locator(f".att-running [data-name='{name}']").bounding_box()

    def bottom(name: str) -> float:
        return box(name)["y"] + box(name)["height"]

    # Blocks stand on each other, the oldest lowest. Each shrinks by the same factor.
    kept = [box(f"block 1 {at}")["height"] / box(f"block 0 {at}")["height"] for at in (1, 2)]
    assert kept == [pytest.approx(0.31, abs=0.04)] * 2
    assert bottom("block 1 2") == pytest.approx(box("block 1 1")["y"], abs=2)
    # A dashed outline shows the earlier height, on the same ground.
    assert bottom("block was") == pytest.approx(bottom("block 1 0"), abs=2)
    assert box("block was")["y"] == pytest.approx(box("block 0 2")["y"], abs=2)
    # The new blocks stand on the kept ones.
    assert bottom("block 3 3") == pytest.approx(box("block 3 2")["y"], abs=2)
    assert box("block 3 3")["height"] == pytest.approx(box("block 2 0")["height"], abs=1)
    # The same factor stands below the sum and beside the output, on a phone, too.
    factors = screen.page.locator(".att-running [data-name$=' sign 0']")
    assert factors.all_text_contents() == ["× 0.31 ="] * 2
    screen.page.set_viewport_size(PHONE)
    screen.settle()
    screen.until("() => document.querySelector('.att-running svg').clientWidth < 400")
    assert factors.all_text_contents() == ["× 0.31 ="] * 2


def test_the_row_that_is_told_has_the_same_frame_among_the_scores(screen):
    """Only the frame says that the row on the left is a row of the matrices on the right."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open("/tiles", tile_keys=3, tile_queries=4, tile_step=6, tile_row=7)
    frames = [
        screen.page.locator(f".att-running [data-name='{name}']") for name in ("row around", "row of 0", "row of 1")
    ]
    looks = [
        frame.evaluate("(one) => [getComputedStyle(one).stroke, getComputedStyle(one).strokeWidth]") for frame in frames
    ]
    assert looks == [looks[0]] * 3
    for frame, matrix in zip(frames[1:], ("whole frame", "around"), strict=True):
        row, whole = frame.bounding_box(), screen.page.locator(f".att-running [data-name='{matrix}']").bounding_box()
        line = whole["height"] / 11
        assert row["y"] - whole["y"] == pytest.approx(6 * line, abs=3)
        assert row["width"] == pytest.approx(whole["width"], abs=4)


@pytest.mark.slow
def test_the_last_tile_is_still_the_last_when_it_was_dragged_to_and_tiles_get_another_size(screen):
    screen.open("/tiles", tile_keys=3, tile_queries=4)
    screen.page.mouse.click(*screen.page.evaluate(CELL, ["around", 9, 9]))
    screen.until_parameter("tile_at", "scores.10.10")
    screen.changed(lambda: screen.slide("tile_queries", "Home"))
    screen.page.wait_for_function("(count) => document.querySelector(count).textContent === 'Tile 44 / 44'", arg=COUNT)


@pytest.mark.slow
def test_tiles_of_another_size_hide_no_number_that_is_known(screen):
    """The motion of a coming tile would leave sums blank as long as a slider is held."""
    screen.open("/tiles", tile_keys=3, tile_queries=4, tile_step=12)
    page = screen.page
    page.evaluate(WATCH)
    screen.changed(lambda: screen.slide("tile_queries", "ArrowRight"))
    screen.until_parameter("tile_queries", "5")
    screen.settle()
    assert page.evaluate("moved") == []


@pytest.mark.slow
def test_both_outputs_are_laid_over_each_other_when_a_guess_is_made(screen):
    """The answer is an event in the picture. Before it the outputs stand apart, and nothing tells their difference."""
    screen.open("/tiles", guess_first=True, tile_keys=3, tile_step=11)
    page = screen.page
    laid, told = (page.locator(f".att-running [data-name='{name}']") for name in ("laid", "apart 0"))
    below = page.locator(".st-key-predict-tiles").bounding_box()["y"]
    assert laid.count() == page.locator(".att-running .att-agrees").count() == 0
    assert told.text_content() == ""
    page.evaluate(WATCH)
    page.locator(".st-key-predict-tiles .att-button").nth(2).click()
    page.get_by_text(say("predict.tiles.try")).wait_for()
    # The guess keeps its tile. Both outputs are seen once the tiles have been played.
    assert page.locator(COUNT).text_content() == "Tile 11 / 12"
    assert laid.count() == 0
    page.locator(".st-key-plot-player [data-does=next]").click()
    screen.until("() => window.moved.some(([name]) => name === 'laid')")
    screen.until("() => !document.querySelector(\".att-running [data-name='laid']\").getAnimations().length")
    places = [page.locator(f".att-running [data-name='{name}']").bounding_box() for name in ("laid", "outputs 0")]
    assert places[0] == pytest.approx(places[1], abs=1)
    assert "rounding" in told.text_content()
    # All rows are finished on the last tile, and the text about it pushes nothing.
    assert page.locator(COUNT).text_content() == "Tile 12 / 12"
    assert page.locator(".att-running .att-agrees").count() == 11
    assert page.locator(".st-key-predict-tiles").bounding_box()["y"] == below
    # Another tile plays no flight.
    page.evaluate("() => { window.moved = []; }")
    screen.changed(lambda: page.locator(".st-key-plot-player [data-does=back]").click())
    screen.settle()
    assert not page.evaluate("moved.some(([name]) => name === 'laid')")
