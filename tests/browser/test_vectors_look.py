"""The look of the picture of vectors: its words, sizes, colours and table."""

import math

import numpy as np
import pytest

from attention.inputs.plane import PLANE
from tests.browser.test_look import brightness, headers
from tests.browser.test_pointer import BANDS
from tests.support.one_query import expected
from tests.support.vectors import PLACE, drag, until_answered

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_picture_has_a_name_that_says_what_it_shows_and_how_it_is_moved",
        "test_another_theme_repaints_the_picture_in_place",
    ),
]


def test_the_table_says_what_the_picture_shows(screen, picture):
    table = screen.tabulate(picture)
    rows, columns = headers(table)
    assert rows[: len(PLANE)] == list(PLANE)
    assert columns == ["Feature 1", "Feature 2", "Weight"]
    texts = table.evaluate(
        "(table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((c) => c.textContent))"
    )
    numbers = np.array([[float(text.replace("−", "-")) for text in row[1:]] for row in texts[: len(PLANE)]])
    weights, output = expected({})
    np.testing.assert_allclose(numbers[:, :2], list(PLANE.values()))
    np.testing.assert_allclose(numbers[:, 2], weights, rtol=1e-4)
    rest = {row[0]: [float(text.replace("−", "-")) for text in row[1:3]] for row in texts[len(PLANE) :]}
    turned = math.radians(130)
    np.testing.assert_allclose(rest["q"], [1.5 * math.cos(turned), 1.5 * math.sin(turned)], rtol=1e-4)
    np.testing.assert_allclose(rest["what q takes"], output, rtol=1e-4)


def test_an_open_table_follows_the_query(screen, picture):
    table = screen.tabulate(picture)
    drag(screen, picture, (42, 3.0))
    until_answered(screen, q_angle=42, q_length=3.0)
    texts = table.locator("tbody tr td:nth-of-type(3)").all_text_contents()[: len(PLANE)]
    np.testing.assert_allclose(list(map(float, texts)), expected({"q_angle": 42, "q_length": 3.0})[0], rtol=1e-4)


def test_the_picture_has_a_name_that_says_what_it_shows_and_how_it_is_moved(picture):
    label = picture.locator(".att-plot").get_attribute("aria-label")
    assert picture.locator(".att-note").inner_text() in label
    assert "arrow" in label
    assert picture.locator(".att-plot").get_attribute("tabindex") == "0"


def test_an_arrow_that_is_pointed_at_is_called_the_key_of_its_word(picture):
    titles = picture.locator(".att-token title").all_text_contents()
    for title, token, weight in zip(titles, PLANE, expected({})[0], strict=True):
        name, number = title.split(": ")
        assert name == f"key of '{token}'"
        assert float(number) == pytest.approx(float(weight), rel=1e-3)


def test_one_unit_is_as_long_upwards_as_sideways_and_all_words_are_inside(screen, picture):
    x, y, unit = picture.evaluate(PLACE)
    box = picture.locator(".att-canvas").bounding_box()
    centres = picture.evaluate(
        "(card) => [...card.querySelectorAll('.att-token circle:last-of-type')].map((circle) => {"
        " const box = circle.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })"
    )
    for (left, top), (first, second) in zip(centres, PLANE.values(), strict=True):
        assert abs(left - x - unit * first) < 1
        assert abs(top - y + unit * second) < 1
        assert box["x"] < left < box["x"] + box["width"]
        assert box["y"] < top < box["y"] + box["height"]


def test_a_circle_is_as_large_as_the_weight(picture):
    circles = "[...card.querySelectorAll('.att-token circle:first-of-type')]"
    radii = picture.evaluate(f"(card) => {circles}.map((circle) => circle.r.baseVal.value)")
    weights = expected({})[0].numpy()
    np.testing.assert_allclose(np.square(radii) / np.square(radii).sum(), weights, rtol=1e-4)


@pytest.mark.exhaustive("browser/test_vectors_look.py::test_another_theme_repaints_the_picture_in_place")
def test_the_picture_is_painted_in_the_colours_of_the_theme(screen):
    looks = {}
    for scheme in ("light", "dark"):
        screen.page.emulate_media(color_scheme=scheme)
        screen.open("/one_query")
        looks[scheme] = screen.see("vectors").evaluate(
            "(card) => ({ page: getComputedStyle(document.querySelector('.stApp')).backgroundColor,"
            " arrow: getComputedStyle(card.querySelector('.att-arrow')).stroke,"
            " word: getComputedStyle(card.querySelector('.att-token text')).fill })"
        )
        for part in ("arrow", "word"):
            assert abs(brightness(looks[scheme][part]) - brightness(looks[scheme]["page"])) > 90
    assert all(looks["light"][part] != looks["dark"][part] for part in looks["light"])


def test_another_theme_repaints_the_picture_in_place(screen, picture):
    colours = "() => [...document.querySelectorAll('.att-token text')].map((text) => text.getAttribute('fill')).join()"
    before = screen.page.evaluate(colours)
    picture.evaluate("(card) => { card.tagged = true; }")
    screen.page.emulate_media(color_scheme="dark")
    screen.until(f"(before) => ({colours})() !== before", before)
    assert picture.evaluate("(card) => card.tagged") is True


def test_a_word_of_the_plane_is_no_token_of_the_notebook(screen):
    """Both figures have keys; a pointer in one part of the page marks nothing in the other."""
    screen.open("/one_query").unfold()
    screen.page.set_viewport_size({"width": 1400, "height": 7000})
    screen.until("() => [...document.querySelectorAll('.att-card')].every((card) => 'near' in card.dataset)")
    screen.point(screen.card("weights", "plane"), 0, 3)
    plane = {f"plane/{id}" for id in ("scores", "scaled", "weights", "output")}
    # The plane's words ask for themselves, too, so their figures are marked.
    assert set(screen.page.evaluate(BANDS)) == plane | {f"itself/{id}" for id in ("scores", "weights", "output")}
    screen.point(screen.card("weights", "all_tokens"), 0, 3)
    marked = screen.page.evaluate(BANDS)
    assert {"one_token/keys", "one_token/values", "one_token/queries", "all_tokens/scores"} <= set(marked)
    assert not any(place.startswith(("plane/", "itself/")) for place in marked)
    assert marked["one_token/keys"] == ["3", None]


def test_a_word_has_one_colour_in_all_figures(screen, picture):
    words = picture.evaluate(
        "(card) => [...card.querySelectorAll('.att-token text')].map((t) => t.getAttribute('fill'))"
    )
    for figure in ("around", "along"):
        lines = screen.see(figure).evaluate(
            "(card) => [...card.querySelectorAll('.att-line')].map((line) => line.getAttribute('stroke'))"
        )
        assert lines == words
    assert len(set(words)) == len(PLANE)


def test_the_first_screen_shows_the_picture_and_its_summary(screen, picture):
    """The window is 1400 x 1000, at the top of the page."""
    screen.page.mouse.wheel(0, -9999)
    note = picture.locator(".att-note").bounding_box()
    assert note["y"] < 1000
    assert picture.locator("svg").first.bounding_box()["y"] > 0


def test_the_link_leads_to_the_notebook_on_the_walkthrough(screen, picture):
    screen.see("weights", "all_tokens")
    link = screen.page.locator("[data-testid=stMain] a[href*=notebook]")
    assert link.evaluate("(a) => a.href") == f"{screen.base}/?preset=notebook&mask=full"


@pytest.mark.exhaustive("browser/test_orders.py::test_another_page_in_between_changes_nothing")
def test_leaving_the_page_and_coming_back_breaks_nothing(screen, picture):
    screen.turn_to("Start", "Several heads")
    screen.until("() => location.pathname === '/heads'")
    screen.turn_to("Start", "One query")
    screen.until("() => location.pathname === '/one_query'")
    screen.see("vectors")
    drag(screen, screen.card("vectors"), (42, 2.0))
    until_answered(screen, q_angle=42, q_length=2.0)
