"""A mask painted with the mouse and from the keyboard, in the URL of every page."""

from random import Random

import numpy as np
import pytest

from pages.shell.state import painted_cells

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_board_takes_the_room_beside_the_answers_as_far_as_the_window_has_it",
        "test_a_mask_is_painted_by_dragging_and_by_quick_clicks_and_strokes_are_taken_back",
        "test_a_finger_paints_a_row_and_the_page_stays_where_it_is",
        "test_on_a_phone_the_board_and_the_arcs_are_on_one_screen",
        "test_the_row_of_the_word_that_is_looked_at_is_framed_though_the_mask_stays_as_it_is_drawn",
        "test_another_mask_begins_without_strokes_and_has_none_to_take_back",
        "test_the_browser_reads_and_writes_painted_cells_as_python_does",
    ),
]


# Whether exactly these cells of the board show 0.
SHOWS = """(cells) => {
  const drawn = document.querySelector('.st-key-plot-paint .att-card[data-figure=mask] .att-canvas');
  const found = drawn.heatmap.z.flatMap((row, at) =>
    Array.from(row).flatMap((z, key) => (z ? [] : [[at, key]])));
  return JSON.stringify(found) === JSON.stringify(cells);
}"""
MIRRORED = """async (texts) => {
  const { cell, cells, text, turn } = await import(new URL('assets/plot/painted_cells.js', document.baseURI).href);
  const again = (one) => {
    const found = cells(one);
    [cell(2, 3), cell(63, 0)].forEach((each) => turn(found, each));
    return text(found);
  };
  return { read: texts.map((one) => text(cells(one))), turned: texts.map(again), beyond: [cell(64, 0), cell(0, 64)] };
}"""


def test_the_masks_stand_once_and_above_the_board_where_a_slider_of_theirs_moves_nothing(screen):
    """The choice of a mask comes first on this page. On other pages it is in the bar."""
    screen.open("/masks", mask="causal")
    assert screen.page.locator("[class*=st-key-mask] [role=radiogroup]").count() == 1
    masks, board = screen.page.locator(".st-key-choice-of-mask"), screen.page.locator(".st-key-plot-paint")
    before = board.bounding_box()["y"]
    assert masks.bounding_box()["y"] + masks.bounding_box()["height"] <= before
    screen.changed(lambda: screen.choose("mask", "window"))
    assert masks.locator("[class*=st-key-width]").count() == 1
    assert board.bounding_box()["y"] == before


def painted(screen) -> np.ndarray:
    return screen.numbers(screen.see("mask", "paint"))


def test_a_click_turns_a_cell_round_and_another_click_turns_it_back(screen):
    screen.open("/masks", preset="random")
    before = painted(screen)
    screen.changed(lambda: screen.click(screen.see("mask", "paint"), 1, 5))
    screen.until_parameter("painted", "BF")
    assert np.argwhere(painted(screen) != before).tolist() == [[1, 5]]
    weights = screen.numbers(screen.see("weights", "one_mask"))
    assert weights[1, 5] > 0
    assert weights[1, [0, 1, 5]].sum() == pytest.approx(1)
    screen.changed(lambda: screen.click(screen.see("mask", "paint"), 1, 5))
    screen.until_parameter("painted", None)
    assert (painted(screen) == before).all()
    # A click beside the mask reads the weight.
    screen.click(screen.see("weights", "one_mask"), 3, 1)
    screen.until("() => new URLSearchParams(location.search).get('cell') === 'weights.3.1.one_mask'")
    assert "painted" not in screen.parameters


def test_cells_are_painted_from_the_keyboard_one_after_the_other(screen):
    screen.open("/masks", mask="full")
    plot = screen.see("mask", "paint").locator(".att-plot")
    plot.focus()
    for press in ("ArrowDown", "ArrowDown", "ArrowRight"):
        plot.press(press)
    screen.changed(lambda: plot.press("Enter"))
    screen.until_parameter("painted", "BB")
    plot.press("ArrowRight")
    screen.changed(lambda: plot.press("Enter"))
    screen.until_parameter("painted", "BBBC")
    assert np.argwhere(painted(screen) == 0).tolist() == [[1, 1], [1, 2]]


# The earlier page may be scrolled so that no figure of the next one is in sight, so the test waits for its title.
@pytest.mark.exhaustive("browser/test_orders.py::test_another_page_in_between_changes_nothing")
def test_a_painted_mask_goes_along_to_another_page_and_back(screen):
    screen.open("/masks", preset="random", painted="BFCA")
    expected = painted(screen)
    screen.turn_to("Start", "Walkthrough")
    screen.page.locator(".st-key-title-walkthrough").wait_for()
    assert (screen.numbers(screen.see("mask")) == expected).all()
    assert screen.parameters["painted"] == "BFCA"
    screen.turn_to("Start", "Masks")
    screen.page.locator(".st-key-title-masks").wait_for()
    assert (painted(screen) == expected).all()
    assert screen.parameters["painted"] == "BFCA"


@pytest.mark.exhaustive("browser/test_paint.py::test_a_click_turns_a_cell_round_and_another_click_turns_it_back")
def test_the_cell_belongs_to_the_token_that_asks(screen):
    screen.open("/masks", preset="story", mask="full", last=3)
    screen.changed(lambda: screen.click(screen.see("mask", "paint"), 0, 1))
    screen.until_parameter("painted", "FB")
    assert np.argwhere(painted(screen) == 0).tolist() == [[0, 1]]


@pytest.mark.slow
def test_a_mask_is_painted_by_dragging_and_by_quick_clicks_and_strokes_are_taken_back(screen):
    screen.open("/masks", mask="full")
    # The words fill the half beside the board.
    first, last = (screen.page.locator(f".att-arcs [data-name='box {at}']").bounding_box() for at in (0, 10))
    half = screen.page.locator(".att-arcs .att-plot").bounding_box()
    assert first["x"] - half["x"] < 40
    assert half["x"] + half["width"] - last["x"] - last["width"] < 40
    card = screen.see("mask", "paint")
    screen.point(card, 2, 1)
    screen.page.mouse.down()
    screen.changed(lambda: screen.point(card, 2, 5))
    # The effect is seen while the button is down. The address waits.
    screen.until(SHOWS, [[2, 1], [2, 2], [2, 3], [2, 4], [2, 5]])
    assert "painted" not in screen.parameters
    # No tooltip lies over the cells that are painted next.
    assert card.locator(".att-tip:visible").count() == 0
    screen.point(card, 4, 5)
    screen.page.mouse.up()
    screen.until_parameter("painted", "CBCCCDCECFDFEF")
    # The stroke selects the word of the row in which it began.
    assert screen.parameters["cell"].startswith("weights.2.")
    screen.until(SHOWS, [[2, 1], [2, 2], [2, 3], [2, 4], [2, 5], [3, 5], [4, 5]])
    assert card.locator(".att-wanted").count() == 0
    # Each painted cell has a frame, a cell of the mask has none.
    by_hand = card.locator(".att-by-hand path")
    assert by_hand.get_attribute("d").count("M") == 7
    for row in (5, 6):
        screen.click(card, row, 1)
    screen.until("() => new URLSearchParams(location.search).get('painted') === 'CBCCCDCECFDFEFFBGB'")
    undo = card.locator(".att-undo:visible")
    for left in ("CBCCCDCECFDFEFFB", "CBCCCDCECFDFEF", None):
        undo.click()
        screen.until_parameter("painted", left)
    assert undo.count() == 0
    screen.until(SHOWS, [])
    assert by_hand.get_attribute("d") == ""


@pytest.mark.slow
def test_another_mask_begins_without_strokes_and_has_none_to_take_back(screen):
    screen.open("/masks", mask="causal")
    screen.changed(lambda: screen.click(screen.see("mask", "paint"), 4, 1))
    screen.until_parameter("painted", "EB")
    undo = screen.see("mask", "paint").locator(".att-undo:visible")
    undo.wait_for()
    # The button stands above the cells, and covers none.
    button, cells = undo.bounding_box(), screen.see("mask", "paint").locator(".att-plot").bounding_box()
    assert button["y"] + button["height"] <= cells["y"] + 4
    screen.page.get_by_text("causal window", exact=True).first.click()
    screen.until_parameter("painted", None)
    screen.until_parameter("mask", "causal & window")
    undo.wait_for(state="detached")
    # The note about the dropped cells stands beside the masks, where the mask was chosen, with the way back.
    before = screen.see("mask", "paint").bounding_box()["y"]
    screen.page.locator("[data-view='masks.dropped'] button").click()
    screen.until_parameter("painted", "EB")
    screen.until_parameter("mask", "causal")
    screen.page.locator("[data-view='masks.dropped'] button").wait_for(state="detached")
    assert screen.see("mask", "paint").bounding_box()["y"] == before


@pytest.mark.slow
def test_the_browser_reads_and_writes_painted_cells_as_python_does(screen):
    draw = Random(7)
    letters = painted_cells._ALPHABET + " +é𝔸=<"
    texts = ["", "A", "ABCDAB", "ADBAZz_-", "-_AA9z", "A𝔸BC", "é1AB", "+/CD", "A=BB"]
    texts += ["".join(draw.choices(letters, k=count)) for count in (2, 3, 13, 101, 997)]
    screen.look("/masks", preset="random")
    found = screen.page.evaluate(MIRRORED, texts)
    assert found["read"] == [painted_cells.text(painted_cells.cells(one)) for one in texts]
    for one, turned in zip(texts, found["turned"], strict=True):
        assert set(painted_cells.cells(turned)) == set(painted_cells.cells(one)) ^ {(2, 3), (63, 0)}
    assert found["beyond"] == [None, None]


PLACE = """(card, cells) => {
  const canvas = card.querySelector(".att-canvas");
  const { left, top } = canvas.getBoundingClientRect();
  return cells.map(([row, column]) => {
    const box = canvas.heatmap.box([row, row], [column, column]);
    return { x: left + box.left + box.width / 2, y: top + box.top + box.height / 2 };
  });
}"""


@pytest.mark.slow
def test_a_finger_paints_a_row_and_the_page_stays_where_it_is(phone):
    """Touch events of the browser, which would otherwise scroll the page."""
    phone.open("/masks", mask="full")
    card = phone.see("mask", "paint")
    card.scroll_into_view_if_needed()
    places = card.evaluate(PLACE, [[5, column] for column in range(1, 8)])
    scrolled = "() => document.querySelector('[data-testid=stMain]').scrollTop"
    before = phone.page.evaluate(scrolled)
    touches = phone.page.context.new_cdp_session(phone.page)
    touches.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": places[:1]})
    for place in places[1:]:
        # A hand is never quite level.
        point = place | {"y": place["y"] + 2}
        touches.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.until(SHOWS, [[5, column] for column in range(1, 8)])
    assert phone.page.evaluate(scrolled) == before


def test_on_a_phone_the_board_and_the_arcs_are_on_one_screen(phone):
    """The masks are one row, and the board is low, so the effect of painting on the word is in sight."""
    phone.open("/masks")
    board, words = phone.card("mask", "paint"), phone.page.locator("[data-figure=seen] [data-name^='box ']")
    words.first.wait_for()
    rows = {round(one.bounding_box()["y"]) for one in phone.page.locator(".st-key-choice-of-mask [role=radio]").all()}
    assert len(rows) == 1
    assert board.bounding_box()["y"] > 0
    ends = [one.bounding_box() for one in words.all()]
    assert max(box["y"] + box["height"] for box in ends) <= phone.page.locator(".st-key-bar").bounding_box()["y"]
    # The loop of a word hangs below it on a phone, too. Beside the word, it ended at a word that is hidden.
    boxes = """(selector) => [...document.querySelectorAll(`[data-figure=seen] ${selector}`)].map((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      return [top, bottom, (left + right) / 2];
    })"""
    ((top, bottom, middle),) = phone.page.evaluate(boxes, "[data-name='box 4']")
    loops = phone.page.evaluate(boxes, ".att-head-arc[data-to='4']")
    assert len(loops) == 2
    for upper, _, own in loops:
        assert upper > top + 0.8 * (bottom - top)
        assert abs(own - middle) < 2


@pytest.mark.parametrize("name", ["screen", "phone"])
def test_a_veil_lies_on_the_words_that_come_later_and_on_no_other(request, name):
    """The purpose of a mask was told in text alone: a model that writes has not written the later words yet."""
    at = request.getfixturevalue(name)
    at.open("/masks", mask="full")
    boxes = """(selector) => [...document.querySelectorAll(`[data-figure=seen] ${selector}`)].map((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      return { top, bottom, left, right };
    })"""
    at.page.locator("[data-figure=seen] .att-veil").first.wait_for()
    words, veils = at.page.evaluate(boxes, "[data-name^='token ']"), at.page.evaluate(boxes, ".att-veil")
    under = [
        any(
            one["left"] < word["right"] - 1 < one["right"] and one["top"] < word["bottom"] < one["bottom"]
            for one in veils
        )
        for word in words
    ]
    assert under == [place > 4 for place in range(11)]


def test_the_row_that_is_painted_is_the_one_that_is_looked_at(screen):
    screen.open("/masks", mask="causal", painted="ECED")
    framed = "(board) => Math.round(parseFloat(board.querySelector('.att-looked').style.top))"
    board = screen.see("mask", "paint")
    before = board.evaluate(framed)
    screen.changed(lambda: screen.click(board, 7, 2))
    screen.until_parameter("painted", "ECEDHC")
    assert board.evaluate(framed) > before


def test_nothing_jumps_and_no_other_figure_is_pointed_at_while_one_paints(screen):
    """Painting to the end of a row leaves its word nothing to see, and the note says so."""
    screen.open("/masks", mask="causal")
    card = screen.see("mask", "paint")
    places = "() => ['drawer-every_mask', 'plot-seen'].map((key) => document.querySelector(`.st-key-${key}`).offsetTop)"
    pointed = "() => [...document.querySelectorAll('.st-key-plot-paint .att-band')].filter((one) => !one.hidden).length"
    before = screen.page.evaluate(places)
    screen.point(card, 4, 4)
    assert screen.page.evaluate(pointed)
    screen.page.mouse.down()
    for column in (3, 2, 1, 0):
        screen.changed(lambda column=column: screen.point(card, 4, column))
        assert screen.page.evaluate(places) == before
        assert not screen.page.evaluate(pointed)
    screen.until(SHOWS, [[row, key] for row in range(11) for key in range(11) if key > row or row == 4])
    assert "No word is left for 'brings'" in card.locator(".att-note").inner_text()
    screen.page.mouse.up()
    screen.until_parameter("painted", "EAEBECEDEE")
    card.locator(".att-undo:visible").wait_for()
    assert screen.page.evaluate(places) == before


def test_what_a_word_takes_from_itself_hangs_below_it_where_no_arc_is(screen):
    screen.open("/masks", mask="causal")
    screen.see("seen")
    boxes = """() => Object.fromEntries([...document.querySelectorAll("[data-figure=seen] .att-head-arc")].map((arc) =>
      [`${arc.dataset.head} ${arc.dataset.to}`, arc.getBoundingClientRect().top]))"""
    word = screen.page.locator("[data-figure=seen] [data-name='box 4']").bounding_box()
    tops = screen.page.evaluate(boxes)
    loops = [top for name, top in tops.items() if name.endswith(" 4")]
    assert len(loops) == 2
    assert min(loops) > word["y"] + 0.8 * word["height"]
    assert all(top < word["y"] for name, top in tops.items() if not name.endswith(" 4"))


@pytest.mark.slow
def test_the_row_of_the_word_that_is_looked_at_is_framed_though_the_mask_stays_as_it_is_drawn(screen):
    screen.open("/masks", mask="causal")
    frame = screen.page.locator(".st-key-plot-paint .att-looked")
    before = frame.bounding_box()
    screen.page.locator("[data-view='masks.seen'] .att-word", has_text="owl").click()
    screen.until("() => new URLSearchParams(location.search).get('cell')?.startsWith('weights.6.')")
    # The frame moves from the fifth word to the seventh, of eleven.
    assert frame.bounding_box()["y"] - before["y"] == pytest.approx(2 * before["height"], rel=0.3)


BOARD = """() => {
  const canvas = document.querySelector(".st-key-plot-paint .att-canvas");
  const { width, height } = canvas.heatmap.box([0, 0], [0, 0]);
  const bottom = (key) => document.querySelector(`.st-key-plot-${key}`).getBoundingClientRect().bottom;
  return { width, height, board: canvas.getBoundingClientRect().bottom, answers: bottom("says") };
}"""


@pytest.mark.slow
@pytest.mark.parametrize("high", [1000, 680])
def test_the_board_takes_the_room_beside_the_answers_as_far_as_the_window_has_it(screen, high):
    """A third of the screen below a low board was empty, and its cells were twice as wide as high."""
    screen.page.set_viewport_size({"width": 1400, "height": high})
    screen.open("/masks")
    screen.see("mask", "paint")
    found = screen.page.evaluate(BOARD)
    if high == 1000:
        assert found["height"] == pytest.approx(found["width"], rel=0.15)
        assert abs(found["board"] - found["answers"]) < 60
    else:
        assert found["board"] < high
