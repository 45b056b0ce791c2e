"""The figures in a real browser: what is drawn is what was computed, and only what is new is drawn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention.notation import IDS
from pages.shell.i18n import say
from tests.support.app import HOME, app, computed, figures, recorded
from tests.support.covering import some
from tests.support.in_page import CENTRE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_masked_cells_are_hatched_and_legended_and_never_drawn_as_numbers",
        "test_a_cell_without_room_for_a_number_that_can_be_read_has_none",
        "test_a_slider_redraws_the_figures_that_change_in_place_and_no_others",
    ),
]
STORY = {"preset": "story"}


def changes(one: dict, two: dict) -> set[str]:
    """The steps whose picture differs between two links."""
    before, after = computed(**one), computed(**two)
    return {
        id
        for id, step in after.trace.items()
        if step.axes and not np.array_equal(recorded(before, id), recorded(after, id))
    }


def heatmaps(screen) -> dict[str, dict]:
    """The cards that show a step."""
    return {place: card for place, card in screen.cards().items() if place.split("/")[1] in IDS}


DRAWN = """(card) => {
  const { sent, picture, layout } = card.querySelector('.att-canvas').heatmap;
  // In the middle of each cell of the first row, as it is painted.
  const { width, height } = picture.cells;
  const pixels = Array.from({ length: layout.columns }, (_, at) => [...picture.cells.getContext('2d')
    .getImageData(((at + 0.5) / layout.columns) * width, (0.25 / layout.rows) * height, 1, 1).data]);
  return { range: sent.range, alpha: pixels.map(([, , , alpha]) => alpha) };
}"""


def test_the_default_page_is_painted(screen):
    shown, sent = computed(), figures(app(HOME))
    screen.look()
    for chapter, figure in (
        ("large", "weights"),
        ("projections", "keys"),
        ("scores", "scaled"),
        ("output", "projected"),
    ):
        card = screen.see(figure, chapter)
        drawn, expected = screen.numbers(card), recorded(shown, figure)
        assert_allclose(drawn[~np.isnan(drawn)], expected[~np.isnan(drawn)], rtol=1e-6)
        assert card.evaluate(DRAWN)["range"] == sent[figure].rest["range"]
        hidden = np.isnan(drawn[0])
        assert [alpha == 0 for alpha in card.evaluate(DRAWN)["alpha"]] == hidden.tolist()
        box = card.locator(".att-painted").bounding_box()
        assert min(box["width"], box["height"]) > 50


SIZES = """(card) => [...card.querySelectorAll('.att-numbers text')]
  .map((number) => parseFloat(getComputedStyle(number).fontSize))"""


@pytest.mark.slow
def test_a_cell_without_room_for_a_number_that_can_be_read_has_none(screen):
    """Thirteen words: their numbers have room on a desktop, and none on a phone."""
    screen.open(preset="random", text="a b c d e f g h i j k l m")
    sizes = screen.see("weights", "result").evaluate(SIZES)
    assert sizes
    assert min(sizes) >= 10
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.settle()
    assert screen.see("weights", "result").evaluate(SIZES) == []


def test_rows_run_down_and_columns_to_the_right(screen):
    screen.look()
    card = screen.see("weights", "result")
    centres = {cell: card.evaluate(CENTRE, cell) for cell in ((0, 0), (0, 7), (7, 0))}
    assert centres[0, 7][0] > centres[0, 0][0]
    assert centres[7, 0][1] > centres[0, 0][1]
    for axis, side in (("column", "x"), ("row", "y")):
        names = card.locator(f".att-{axis}-names text")
        places = [(names.nth(at).bounding_box()[side], names.nth(at).text_content()) for at in range(names.count())]
        assert [name for _, name in sorted(places)] == list(computed().tokens), axis


@pytest.mark.slow
@pytest.mark.parametrize("id", ["weights", "masked"])
def test_masked_cells_are_hatched_and_legended_and_never_drawn_as_numbers(screen, id):
    screen.look(**STORY)
    card = screen.see(id)
    assert_array_equal(np.isnan(screen.numbers(card)), recorded(computed(**STORY), "mask") == 0)
    assert card.locator(".att-hatch").is_visible()
    assert "masked" in card.locator(".att-legend").inner_text()


HEIGHTS = (
    "() => [...document.querySelectorAll('.att-card')].map((card) => card.querySelector('.att-plot').offsetHeight)"
)
SLID = {
    "width": (STORY | {"mask": "window", "width": 3}, "ArrowLeft", STORY | {"mask": "window"}),
    "dropout": (STORY | {"dropout": 0.2}, "ArrowRight", STORY | {"dropout": 0.25}),
    "head": ({"preset": "random", "head": 1}, "ArrowRight", {"preset": "random", "head": 2}),
}


@pytest.mark.parametrize("key", some(SLID, 1))
@pytest.mark.slow
def test_a_slider_redraws_the_figures_that_change_in_place_and_no_others(screen, key):
    link, press, after = SLID[key]
    screen.open(**link)
    screen.see("weights", "large")
    before, heights = screen.cards(), screen.page.evaluate(HEIGHTS)
    screen.changed(lambda: screen.slide(key, press))
    assert screen.page.evaluate(HEIGHTS) == heights
    cards = heatmaps(screen)
    expected = changes(link, after)
    changed = {place for place, card in cards.items() if card["stamp"] != before[place]["stamp"]}
    # A figure far from the screen may wait until it comes near.
    late = [place for place in cards if place.split("/")[1] in expected and place not in changed]
    assert not any(cards[place]["near"] for place in late)
    # Other figures may change by their range alone: raw scores share theirs with the scaled ones, and weights with the
    # weights after dropout.
    shared = {"scores", "scaled", "masked"} | ({"weights"} if "dropped" in expected else set())
    assert {place.split("/")[1] for place in changed} - expected <= shared
    for place, card in cards.items():
        assert card["kept"], place
        if card["near"] and before[place]["drawn"]:
            assert card["draws"] == (place in changed), place
        elif not card["near"]:
            assert card["drawn"] == before[place]["drawn"], place
    assert any(cards[place]["near"] for place in changed)
    shown = computed(**after)
    for place in [*(place for place in changed if cards[place]["near"]), *late[:1]]:
        chapter, figure = place.split("/")
        if place in late:
            card = screen.see(figure, chapter).element_handle()
            screen.until("([card, before]) => card.dataset.stamp !== before", [card, before[place]["stamp"]])
        drawn, record = screen.numbers(screen.card(figure, chapter)), recorded(shown, figure)
        assert_allclose(drawn[~np.isnan(drawn)], record[~np.isnan(drawn)], rtol=1e-4, atol=1e-6)


def test_a_figure_that_changed_out_of_sight_is_drawn_when_it_is_scrolled_back_to(screen):
    screen.open(dropout=0.3, step="output")
    screen.see("projected", "output")
    place = "large/output"
    assert not screen.cards()[place]["near"]
    screen.changed(lambda: screen.slide("dropout", "ArrowRight"))
    card = screen.see("output", "result")
    assert_allclose(screen.numbers(card), recorded(computed(dropout=0.35), "output"), rtol=1e-5, atol=1e-7)


SEEN = "(card) => { const { rows, columns } = card.querySelector('.att-canvas').heatmap.seen; return [rows, columns]; }"


def zoom(screen, card, first: tuple[int, int], last: tuple[int, int]) -> list[list[int]]:
    """Drag from one cell to another, as a visitor zooms."""
    screen.point(card, *first)
    screen.page.mouse.down()
    x, y = card.evaluate("(card) => { const box = card.getBoundingClientRect(); return [box.x, box.y]; }")
    screen.point(card, *last)
    screen.page.mouse.up()
    screen.page.wait_for_function(
        f"(card) => JSON.stringify(({SEEN})(card)) !== '[[0,7],[0,7]]'", arg=card.element_handle()
    )
    assert [x, y] == card.evaluate("(card) => { const box = card.getBoundingClientRect(); return [box.x, box.y]; }")
    return card.evaluate(SEEN)


def test_zoom_is_no_click_and_is_kept_until_the_matrix_has_another_size(screen):
    screen.open(**STORY, mask="window")
    card = screen.see("weights", "result")
    assert zoom(screen, card, (1, 1), (5, 4)) == [[1, 5], [1, 4]]
    assert len(card.locator(".att-row-names text").all_text_contents()) == 5
    before = screen.numbers(card)
    screen.changed(lambda: screen.slide("width", "ArrowRight"))
    assert card.evaluate(SEEN) == [[1, 5], [1, 4]]
    assert not np.array_equal(np.isnan(screen.numbers(card)), np.isnan(before))
    assert "cell" not in screen.parameters
    screen.changed(lambda: screen.slide("last", *["ArrowRight"] * 3))
    screen.until_parameter("last", "3")
    assert card.evaluate(SEEN) == [[0, 2], [0, 7]]


def test_another_number_of_tokens_is_drawn_without_a_failure(screen):
    """The moves: all tokens, one, two, one again, all, then the tokens of another sentence."""
    screen.open(preset="random", text="one two three four\nfive six")
    moves = [("last", press) for press in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft")]
    for key, press in (*moves, ("sentence", "ArrowRight")):
        screen.changed(lambda key=key, press=press: screen.slide(key, press))
        assert screen.page.locator(".att-card .att-table:not([hidden])").count() == 0


def test_without_plotly_heatmaps_are_drawn_and_charts_say_so_until_it_is_back(screen):
    """The network loses one file; the complaint about that file does not count."""
    lost = "**/plotly.min.js*"
    asked = []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.page.route(lost, lambda route: route.abort())
    try:
        screen.page.goto(f"{screen.base}/costs")
        screen.page.locator(".st-key-drawer-shares summary").click()
        chart = screen.card("costs-shares")
        chart.locator(".att-plot").scroll_into_view_if_needed()
        chart.get_by_text(say("ui.failed")).wait_for()
        assert chart.locator("td").count() > 20
        assert chart.get_attribute("data-drawn") is None
    finally:
        screen.page.unroute(lost)
        screen.complaints.clear()
    screen.slide("cost_n", "ArrowRight")
    screen.page.wait_for_function("(card) => card.dataset.drawn === card.dataset.stamp", arg=chart.element_handle())
    assert say("ui.failed") not in chart.inner_text()
    # The retry has an address of its own, since not every browser requests a failed module twice.
    assert any("plotly.min.js?again=" in url for url in asked)


def test_a_page_whose_charts_are_out_of_sight_does_without_plotly(screen):
    asked = []
    note = lambda request: asked.append(request.url)  # noqa: E731
    screen.page.on("request", note)
    screen.open("/masks")
    screen.page.remove_listener("request", note)
    assert screen.page.locator(".att-card[data-drawn] .att-heatmap").count()
    assert not [url for url in asked if "plotly" in url]


@pytest.mark.slow
def test_no_word_is_broken_in_the_head_of_a_table(screen):
    """In a narrow column, 'today' was once broken into two lines."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open("/masks")
    screen.page.locator(".st-key-drawer-future summary").click()
    words = screen.page.locator(".st-key-drawer-future th code")
    words.first.wait_for()
    assert words.evaluate_all("(all) => all.map((one) => one.getClientRects().length)") == [1] * words.count()
