"""The query in the picture of vectors: dragged by mouse and touch, moved by key; sliders, URL and weights follow."""

import json
import math
import re

import numpy as np
import pytest

from attention.one_query import PLANE
from tests.app_support import app
from tests.browser_support import PHONE
from tests.test_browser_links import held
from tests.test_browser_look import WIDTHS, brightness, headers, unfold
from tests.test_browser_pointer import BANDS
from tests.test_pages_one_query import expected, sent

pytestmark = pytest.mark.browser

# The centre of the plane and its unit on the screen, from the handle and the circle around the origin.
PLACE = """(card) => {
  const [svg, most] = [card.querySelector('.att-canvas svg'), card.querySelector('.att-most')];
  const box = svg.getBoundingClientRect();
  const read = (name) => Number(most.getAttribute(name));
  return [box.left + read('cx'), box.top + read('cy'), read('r') / 4];
}"""
DEFAULT = {"q_angle": 130, "q_length": 1.5}
# A whole number may stand there with or without its ".0".
IN_URL = """(wanted) => {
  const found = [...new URLSearchParams(location.search)].filter(([name]) => name.startsWith('q_'));
  return found.length === Object.keys(wanted).length && found.every(([name, value]) => Number(value) === wanted[name]);
}"""
SAID = "() => document.querySelector('.att-said').textContent"


@pytest.fixture
def picture(screen):
    screen.open("/one_query")
    return screen.see("vectors")


def place(card, angle: float, length: float) -> tuple[float, float]:
    """Where a vector ends on the screen."""
    x, y, unit = card.evaluate(PLACE)
    turned = math.radians(angle)
    return x + unit * length * math.cos(turned), y - unit * length * math.sin(turned)


def query(card) -> list[float]:
    return [float(number) for number in card.get_attribute("data-query").split(",")]


def until_answered(screen, **link) -> None:
    """Wait until the weights are those of a query, in the picture, in the sliders and in the URL."""
    stamp = sent(app("one_query", **link), "vectors")["stamp"]
    screen.until(
        "(stamp) => document.querySelector('.att-card[data-figure=vectors]')?.dataset.drawn === stamp"
        " && !document.querySelector('.att-card[data-moving]')",
        stamp,
    )
    shown = DEFAULT | link
    assert query(screen.card("vectors")) == list(shown.values())
    for name, value in shown.items():
        assert float(held(screen, name)) == value
    screen.until(IN_URL, {name: value for name, value in shown.items() if value != DEFAULT[name]})
    labels = screen.card("vectors").locator(".att-token text").all_text_contents()
    weights, _ = expected(link)
    for label, token, weight in zip(labels, PLANE, weights, strict=True):
        name, number = label.split(" ")
        assert name == token
        assert weight < 0.001 if number == "<0.001" else math.isclose(float(number), weight, rel_tol=0.5, abs_tol=0.006)


def drag(screen, card, *to: tuple[float, float], release: bool = True) -> None:
    screen.page.mouse.move(*place(card, *query(card)))
    screen.page.mouse.down()
    for angle, length in to:
        screen.page.mouse.move(*place(card, angle, length), steps=3)
    if release:
        screen.page.mouse.up()


@pytest.mark.parametrize(("angle", "length"), [(42, 1.5), (200, 3.0), (359, 0.7), (90, 4.0)])
def test_the_tip_is_dragged_with_the_mouse(screen, picture, angle, length):
    drag(screen, picture, (angle, length))
    until_answered(screen, q_angle=angle, q_length=length)


def test_while_it_is_dragged_only_the_arrow_moves_and_the_weights_are_marked_as_old(screen, picture):
    before = picture.get_attribute("data-stamp")
    labels = picture.locator(".att-token text").all_text_contents()
    drag(screen, picture, (60, 2.0), (10, 3.0), release=False)
    assert query(picture) == [10, 3.0]
    assert picture.get_attribute("data-moving") is not None
    assert picture.get_attribute("data-stamp") == before
    assert picture.locator(".att-token text").all_text_contents() == labels
    assert "q_angle" not in screen.parameters
    x, y = place(picture, 10, 3.0)
    handle = picture.locator(".att-handle").bounding_box()
    assert abs(handle["x"] + handle["width"] / 2 - x) < 2
    assert abs(handle["y"] + handle["height"] / 2 - y) < 2
    screen.page.mouse.up()
    until_answered(screen, q_angle=10, q_length=3.0)


def test_an_answer_that_comes_while_it_is_dragged_does_not_take_it_away(screen, picture):
    drag(screen, picture, (10, 3.0), release=False)
    screen.changed(lambda: screen.slide("q_length", "End"))
    assert query(picture) == [10, 3.0]
    screen.page.mouse.up()
    until_answered(screen, q_angle=10, q_length=3.0)


def test_it_is_not_dragged_beyond_what_the_sliders_hold(screen, picture):
    drag(screen, picture, (60, 9.0))
    until_answered(screen, q_angle=60, q_length=4.0)


def test_it_can_be_dragged_to_nothing_and_out_again(screen, picture):
    drag(screen, picture, (60, 0.0))
    screen.until(IN_URL, {"q_angle": query(picture)[0], "q_length": 0} if query(picture)[0] != 130 else {"q_length": 0})
    assert query(screen.card("vectors"))[1] == 0
    assert "q = 0" in screen.card("vectors").locator(".att-note").inner_text()
    drag(screen, picture, (300, 2.0))
    until_answered(screen, q_angle=300, q_length=2.0)


def test_a_press_that_does_not_move_asks_nothing(screen, picture):
    drag(screen, picture)
    assert query(picture) == [130, 1.5]
    assert picture.get_attribute("data-moving") is None
    assert screen.parameters == {}


def test_elsewhere_in_the_picture_nothing_is_dragged(screen, picture):
    screen.page.mouse.move(*place(picture, 300, 3.0))
    screen.page.mouse.down()
    screen.page.mouse.move(*place(picture, 10, 1.0))
    screen.page.mouse.up()
    assert query(picture) == [130, 1.5]


TOUCH = """(card, points) => {
  const handle = card.querySelector('.att-handle');
  handle.setPointerCapture = () => {};
  const send = (type, [clientX, clientY]) => handle.dispatchEvent(
    new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 7, pointerType: 'touch', clientX, clientY }));
  send('pointerdown', points[0]);
  points.slice(1).forEach((point) => send('pointermove', point));
  if (points.length > 1) send(card.dataset.cancel ? 'pointercancel' : 'pointerup', points.at(-1));
}"""


def test_it_is_dragged_by_touch_without_scrolling_the_page(phone):
    phone.open("/one_query")
    card = phone.see("vectors")
    assert card.locator(".att-handle").evaluate("(handle) => getComputedStyle(handle).touchAction") == "none"
    assert card.locator(".att-handle").bounding_box()["width"] >= 44
    card.evaluate(TOUCH, [place(card, 130, 1.5), place(card, 200, 2.0), place(card, 250, 2.5)])
    until_answered(phone, q_angle=250, q_length=2.5)


def test_a_touch_that_the_browser_takes_away_changes_nothing(screen, picture):
    picture.evaluate("(card) => { card.dataset.cancel = 'yes'; }")
    picture.evaluate(TOUCH, [place(picture, 130, 1.5), place(picture, 200, 2.0)])
    assert query(picture) == [130, 1.5]
    assert picture.get_attribute("data-moving") is None


@pytest.mark.parametrize(
    ("presses", "angle", "length"),
    [
        (["ArrowLeft"], 135, 1.5),
        (["ArrowRight", "ArrowRight"], 120, 1.5),
        (["ArrowUp"], 130, 1.6),
        (["ArrowDown"] * 3, 130, 1.2),
        (["End"], 130, 4.0),
        (["Home"], 130, 0.0),
        (["Home", "ArrowDown", "ArrowLeft", "ArrowUp"], 135, 0.1),
        (["ArrowRight"] * 27, 355, 1.5),
        (["End", "ArrowUp", "ArrowLeft"], 135, 4.0),
    ],
    ids=lambda value: str(value)[:30],
)
def test_it_is_moved_from_the_keyboard_and_it_is_said(screen, picture, presses, angle, length):
    plot = picture.locator(".att-plot")
    plot.focus()
    for press in presses:
        plot.press(press)
    assert query(picture) == [angle, length]
    until_answered(screen, q_angle=angle, q_length=length)
    assert screen.page.evaluate(SAID) == f"q: angle {angle}°, length {length:g}"


def test_keys_between_two_steps_go_to_the_next_one(screen):
    screen.open("/one_query", q_angle=42)
    plot = screen.see("vectors").locator(".att-plot")
    plot.press("ArrowLeft")
    assert query(screen.card("vectors")) == [45, 1.5]
    plot.press("ArrowRight")
    plot.press("ArrowRight")
    assert query(screen.card("vectors")) == [35, 1.5]
    until_answered(screen, q_angle=35)


def test_escape_takes_back_what_was_not_asked_yet(screen, picture):
    plot = picture.locator(".att-plot")
    plot.press("ArrowUp")
    plot.press("Escape")
    assert query(picture) == [130, 1.5]
    assert picture.get_attribute("data-moving") is None


def test_a_slider_moves_the_arrow(screen, picture):
    screen.changed(lambda: screen.slide("q_angle", "ArrowRight"))
    until_answered(screen, q_angle=131)
    screen.changed(lambda: screen.slide("q_length", "End"))
    until_answered(screen, q_angle=131, q_length=4.0)
    assert picture.evaluate("(card) => card.isConnected")


def test_the_link_that_a_drag_makes_opens_the_same_picture(screen, picture):
    drag(screen, picture, (222, 2.2))
    until_answered(screen, q_angle=222, q_length=2.2)
    screen.page.reload()
    screen.settle()
    until_answered(screen, q_angle=222, q_length=2.2)


def test_a_drag_redraws_the_figures_of_the_query_and_leaves_the_others(screen, picture):
    cards = screen.changed(lambda: drag(screen, picture, (42, 2.0)))
    assert all(card["kept"] for card in cards.values())
    before = json.loads(json.dumps(cards))
    cards = screen.changed(lambda: drag(screen, picture, (62, 2.0)))
    changed = {place for place, card in cards.items() if card["stamp"] != before[place]["stamp"]}
    assert {"vectors/vectors", "vectors/around", "plane/weights", "temperature/along"} <= changed
    assert not any(place.startswith(("one_token", "products", "all_tokens", "mix")) for place in changed)


@pytest.mark.parametrize(
    ("asked", "angle", "length"),
    [
        ({"q_angle": "9999", "q_length": "-7"}, 359, 0.0),
        ({"q_angle": "<img src=x onerror=window.hacked=1>", "q_length": "1e309"}, 130, 4.0),
    ],
)
def test_a_hostile_link_becomes_a_query_and_it_is_said(screen, asked, angle, length):
    screen.open("/one_query", **asked)
    toast = screen.page.locator("[data-testid=stToast]")
    toast.wait_for()
    assert {"q_angle", "q_length"} <= set(re.findall(r"q_\w+", toast.inner_text()))
    screen.see("vectors")
    until_answered(screen, q_angle=angle, q_length=length)
    assert screen.page.evaluate("window.hacked") is None


@pytest.mark.parametrize(
    ("reported", "angle", "length"),
    [
        ({"angle": "banana", "length": {}}, 130, 1.5),
        ({"angle": 1e308, "length": -5}, 359, 0.0),
        ({"angle": "<img src=x onerror=window.hacked=1>"}, 130, 1.5),
        ([1, 2], 10, 2.0),
        ("text", 10, 2.0),
    ],
    ids=str,
)
def test_whatever_the_browser_reports_the_sliders_hold_it(screen, reported, angle, length):
    """What a component sends is input from outside: anybody can send anything."""
    screen.open("/one_query", q_angle=10, q_length=2.0)
    card = screen.see("vectors")
    screen.page.evaluate(
        """async (reported) => {
          const { Vectors } = await import(new URL('assets/plot/vectors.js', document.baseURI).href);
          Vectors.prototype.release = function () { this.ask(reported); this.giveUp(); };
        }""",
        reported,
    )
    drag(screen, card, (200, 1.0))
    until_answered(screen, q_angle=angle, q_length=length)
    screen.slide("q_angle", "ArrowLeft")
    until_answered(screen, q_angle=angle - 1, q_length=length)


def test_the_table_says_what_the_picture_shows(screen, picture):
    table = unfold(picture)
    rows, columns = headers(table)
    assert rows[: len(PLANE)] == list(PLANE)
    assert columns == ["Feature 0", "Feature 1", "Weight"]
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
    np.testing.assert_allclose(rest["what comes out"], output, rtol=1e-4)
    np.testing.assert_allclose(rest["mean of all words"], np.mean(list(PLANE.values()), 0), rtol=1e-4)


def test_an_open_table_follows_the_query(screen, picture):
    table = unfold(picture)
    drag(screen, picture, (42, 3.0))
    until_answered(screen, q_angle=42, q_length=3.0)
    texts = table.locator("tbody tr td:nth-of-type(3)").all_text_contents()[: len(PLANE)]
    np.testing.assert_allclose(list(map(float, texts)), expected({"q_angle": 42, "q_length": 3.0})[0], rtol=1e-4)


def test_the_picture_has_a_name_that_says_what_it_shows_and_how_it_is_moved(picture):
    label = picture.locator(".att-plot").get_attribute("aria-label")
    assert picture.locator(".att-note").inner_text() in label
    assert "arrow" in label
    assert picture.locator(".att-plot").get_attribute("tabindex") == "0"


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


def test_tokens_are_text(screen, picture):
    sent_card = sent(app("one_query"), "vectors")
    tags = ["<img src=x onerror=window.hacked=1>", "<b>x</b>", "&lt;", "$x$", "`y`", "<script>window.hacked=2</script>"]
    sent_card["vectors"] |= {"tokens": tags}
    sent_card |= {"stamp": "other", "note": " ".join(tags)}
    screen.page.evaluate(
        """async (sent) => {
          const plot = await import(new URL('assets/plot/plot.js', document.baseURI).href);
          const parentElement = document.createElement('div');
          document.querySelector('.st-key-plot-vectors').prepend(parentElement);
          plot.render({ parentElement, data: { chapter: '', cards: [sent] }, setTriggerValue() {} });
        }""",
        sent_card,
    )
    card = screen.see("vectors")
    labels = card.locator(".att-token text").all_text_contents()
    assert [label.rpartition(" ")[0] for label in labels] == tags
    assert headers(unfold(card))[0][: len(tags)] == tags
    assert card.locator("img, b, script").count() == 0
    assert screen.page.evaluate("window.hacked") is None


def test_a_phone_has_the_whole_picture_and_one_column(phone):
    phone.open("/one_query", q_angle=0, q_length=4.0)
    card = phone.see("vectors")
    widths = phone.page.evaluate(WIDTHS)
    assert widths == {"inner": PHONE["width"], "page": PHONE["width"], "out": []}
    box = card.locator(".att-canvas").bounding_box()
    for label in card.locator("svg text").all():
        inside = label.bounding_box()
        assert box["x"] - 1 <= inside["x"]
        assert inside["x"] + inside["width"] <= box["x"] + box["width"] + 1
    for figure in ("around", "weights", "along", "product-4", "mix"):
        phone.see(figure)
    assert phone.page.evaluate(WIDTHS)["out"] == []


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
    """Both are keys; what is pointed at in one part of the page marks nothing in the other."""
    screen.open("/one_query")
    screen.page.set_viewport_size({"width": 1400, "height": 7000})
    screen.until("() => [...document.querySelectorAll('.att-card')].every((card) => 'near' in card.dataset)")
    screen.point(screen.card("weights", "plane"), 0, 3)
    assert set(screen.page.evaluate(BANDS)) == {f"plane/{id}" for id in ("scores", "scaled", "weights", "output")}
    screen.point(screen.card("weights", "all_tokens"), 0, 3)
    marked = screen.page.evaluate(BANDS)
    assert {"one_token/keys", "one_token/values", "one_token/queries", "all_tokens/scores"} <= set(marked)
    assert not any(place.startswith("plane/") for place in marked)
    assert marked["one_token/keys"] == ["3", None]


def test_a_word_has_one_colour_in_all_figures(screen, picture):
    words = picture.evaluate(
        "(card) => [...card.querySelectorAll('.att-token text')].map((t) => t.getAttribute('fill'))"
    )
    for figure in ("around", "along"):
        lines = screen.see(figure).evaluate(
            "(card) => card.querySelector('.js-plotly-plot').data.map((t) => t.line.color)"
        )
        assert lines == words
    assert len(set(words)) == len(PLANE)


def test_the_first_screen_shows_the_picture_and_its_summary(screen, picture):
    """At 1400 x 1000, before anything is touched."""
    screen.page.mouse.wheel(0, -9999)
    note = picture.locator(".att-note").bounding_box()
    assert note["y"] < 1000
    assert picture.locator("svg").first.bounding_box()["y"] > 0


def test_the_link_leads_to_the_notebook_on_the_walkthrough(screen, picture):
    link = screen.page.locator("[data-testid=stMain] a", has_text="walkthrough")
    assert link.evaluate("(a) => a.href") == f"{screen.base}/?preset=notebook&mask=full"


def test_leaving_the_page_and_coming_back_breaks_nothing(screen, picture):
    menu = screen.page.locator("[data-testid=stSidebarNav]")
    menu.get_by_text("Several heads").click()
    screen.until("() => location.pathname === '/heads'")
    menu.get_by_text("One query").click()
    screen.until("() => location.pathname === '/one_query'")
    screen.see("vectors")
    drag(screen, screen.card("vectors"), (42, 2.0))
    until_answered(screen, q_angle=42, q_length=2.0)
