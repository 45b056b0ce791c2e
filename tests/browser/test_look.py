"""The look of the app: tables, light and dark, and a phone."""

import re

import numpy as np
import pytest

from attention.inputs.names import along
from pages.shell.i18n import say
from tests.support.app import computed, recorded
from tests.support.browser import PHONE
from tests.support.covering import EVERY_TEST, some
from tests.support.in_page import CARDS

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_table_says_what_the_figure_shows",
        "test_another_theme_redraws_what_is_in_sight_in_place",
    ),
]


def cells(table) -> np.ndarray:
    """The numbers of a table, NaN for cells that the table calls masked; without the sums of rows."""
    rows = table.evaluate(
        """(table, sum) => {
          const count = [...table.tHead.rows[0].cells].filter((cell) => cell.textContent !== sum).length;
          const texts = (row) => [...row.cells].slice(1, count).map((cell) => cell.textContent);
          return [...table.tBodies[0].rows].map(texts);
        }""",
        say("ui.sum"),
    )
    return np.array([[np.nan if "masked" in text else float(text.replace("−", "-")) for text in row] for row in rows])


def headers(table) -> tuple[list[str], list[str]]:
    rows = table.locator("tbody th").all_text_contents()
    columns = table.locator("thead th").all_text_contents()[1:]
    return rows, [name for name in columns if name != say("ui.sum")]


# The link has no question that covers the figures.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "chapter"),
    some(
        [("weights", "large"), ("masked", "mask"), ("output", "output"), ("queries", "projections"), ("mask", "mask")],
        5 if EVERY_TEST else 3,
    ),
)
def test_the_table_says_what_the_figure_shows(screen, figure, chapter):
    screen.look(preset="story")
    shown, card = computed(preset="story"), screen.see(figure, chapter)
    table = screen.tabulate(card)
    found, drawn = cells(table), screen.numbers(card)
    np.testing.assert_allclose(found, drawn, rtol=1e-4, atol=1e-9)
    np.testing.assert_allclose(found[~np.isnan(found)], recorded(shown, figure)[~np.isnan(found)], rtol=1e-4, atol=1e-9)
    rows, columns = headers(table)
    assert rows == list(shown.tokens)
    assert columns == list(along(shown.labels, figure, shown.trace[figure].axes[-1]))
    if figure == "weights":
        assert table.locator("td:last-child").all_text_contents() == ["1.00"] * len(shown.tokens)
        assert card.locator(".att-sums text").all_text_contents() == [*["1.00"] * len(shown.tokens), say("ui.sum")]
    assert table.locator("caption").text_content()


def test_what_has_no_names_is_counted_from_1(screen):
    screen.look(preset="notebook", cell="queries.0.0")
    card = screen.see("queries", "projections")
    assert headers(screen.tabulate(card))[1] == ["1", "2", "3", "4", "5"]
    assert card.locator(".att-column-names text").all_text_contents() == ["1", "2", "3", "4", "5"]
    screen.point(card, 0, 0)
    assert "query x1, feature 1:" in card.locator(".att-tip").inner_text()
    # The name of a row ends before the frame of its first cell.
    ends, begins = (
        screen.page.locator(f".st-key-plot-large {part}").first.evaluate("(e) => e.getBoundingClientRect()")
        for part in (".att-row-names text", ".att-chosen")
    )
    assert ends["right"] <= begins["left"] - 3
    # The link counts features from 0, the panel from 1 like the figure.
    assert "feature 1" in screen.page.locator(".st-key-plot-large .att-panel").inner_text()


def test_a_masked_cell_of_the_table_says_what_it_holds(screen):
    screen.look(preset="story")
    for figure, held in (("weights", "0"), ("masked", "−∞")):
        table = screen.tabulate(screen.see(figure))
        assert table.locator("tbody tr").nth(1).locator("td").nth(6).inner_text() == f"{held} (masked)"


@pytest.mark.exhaustive("browser/test_look.py::test_an_open_table_follows_the_numbers_while_its_figure_is_out_of_sight")
def test_an_open_table_follows_its_figure(screen):
    screen.open(dropout=0.3)
    card = screen.see("output", "result")
    table = screen.tabulate(card)
    screen.changed(lambda: screen.slide("dropout", "ArrowRight"))
    np.testing.assert_allclose(cells(table), recorded(computed(dropout=0.35), "output"), rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize(
    ("key", "link", "after"),
    some([("last", {"last": 3}, {"last": 4}), ("dropout", {"dropout": 0.3}, {"dropout": 0.35})], 1),
)
def test_an_open_table_follows_the_numbers_while_its_figure_is_out_of_sight(screen, key, link, after):
    screen.open(**link)
    card = screen.see("output", "result")
    screen.tabulate(card)
    screen.see("arcs")
    assert not screen.cards()["result/output"]["near"]
    screen.changed(lambda: screen.slide(key, "ArrowRight"))
    expected = recorded(computed(**after), "output")
    # Scrolling back to the figure gives it every chance to update.
    found = cells(screen.see("output", "result").locator("table"))
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-9)


COLOURS = """() => {
  const { heatmap } = document.querySelector('.att-card:has(.att-heatmap) .att-canvas');
  return {
    page: getComputedStyle(document.querySelector('.stApp')).backgroundColor,
    scale: heatmap.colours[heatmap.sent.kind].join(),
    text: document.querySelector('.att-heatmap').getAttribute('fill'),
    picture: document.querySelector('.att-painted').toDataURL(),
  };
}"""


def brightness(colour: str) -> float:
    if colour.startswith("#"):
        return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5)) / 3
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3


@pytest.mark.exhaustive("browser/test_look.py::test_another_theme_redraws_what_is_in_sight_in_place")
def test_light_and_dark_are_both_painted_in_colours_of_their_own_in_which_a_number_can_be_read(screen):
    looks = {}
    numbers = sorted(f"{number:.2f}".replace("-", "−") for number in recorded(computed(), "output").flatten())
    for scheme in ("light", "dark"):
        screen.page.emulate_media(color_scheme=scheme)
        screen.open().see("weights", "large")
        looks[scheme] = screen.page.evaluate(COLOURS)
        assert abs(brightness(looks[scheme]["page"]) - brightness(looks[scheme]["text"])) > 100
        assert sorted(screen.see("output", "result").locator(".att-numbers text").all_text_contents()) == numbers
    assert all(looks["light"][part] != looks["dark"][part] for part in looks["light"])
    assert brightness(looks["light"]["page"]) > brightness(looks["dark"]["page"])


@pytest.mark.slow
def test_another_theme_redraws_what_is_in_sight_in_place(screen):
    screen.look().spoil()
    screen.see("weights", "large")
    before = screen.page.evaluate(COLOURS)
    screen.page.evaluate("() => { document.querySelector('.att-heatmap').tagged = true; }")
    screen.page.emulate_media(color_scheme="dark")
    screen.until(f"(before) => Object.entries(({COLOURS})()).every(([part, now]) => now !== before[part])", before)
    assert screen.page.evaluate("document.querySelector('.att-heatmap').tagged") is True


WIDTHS = """() => ({
  inner: innerWidth,
  page: Math.max(document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth),
  out: [...document.querySelectorAll('.att-card')].filter((card) => {
    const box = card.getBoundingClientRect();
    return box.left < 0 || box.right > innerWidth + 0.5;
  }).map((card) => card.dataset.figure),
})"""


# test_pages.py checks the bare page.
@pytest.mark.parametrize(
    "link", some([{"preset": "random", "text": "\n".join(["a_very_long_token_" * 9] * 2), "dropout": 0.3}, {}], 1)
)
def test_a_phone_needs_no_sideways_scrolling_and_has_one_column(phone, link):
    phone.open(**link)
    widths = phone.page.evaluate(WIDTHS)
    assert widths["inner"] == PHONE["width"]
    assert widths["page"] <= PHONE["width"]
    assert widths["out"] == []
    columns = phone.page.evaluate(
        "() => [...document.querySelectorAll('.att-cards:not(:empty)')].map((row) => "
        "new Set([...row.children].map((card) => Math.round(card.getBoundingClientRect().left))).size)"
    )
    assert set(columns) == {1}
    card = phone.see("projected")
    assert card.locator(".att-painted").bounding_box()["width"] > 100


def test_a_wide_screen_has_figures_side_by_side(screen):
    screen.look().spoil()
    # The figures stay aligned, however much stands below one of them.
    legend = screen.see("output", "result").locator(".att-legend")
    legend.evaluate("(legend) => { legend.style.minHeight = '9rem'; }")
    cards = [screen.card(figure, "result") for figure in ("weights", "output")]
    for parts in (cards, [card.locator(".att-plot") for card in cards]):
        tops = [part.bounding_box()["y"] for part in parts]
        assert tops[0] == tops[1]


def test_figures_follow_the_width_of_the_window(screen):
    screen.look().spoil()
    screen.see("weights", "large")
    width = "() => Number(document.querySelector('.att-heatmap').getAttribute('width'))"
    before = screen.page.evaluate(width)
    screen.page.set_viewport_size({"width": 1100, "height": 1000})
    screen.until(f"(before) => ({width})() < before", before)
    assert screen.page.evaluate(f"Object.values(({CARDS})()).every((card) => !card.near || card.drawn)")
