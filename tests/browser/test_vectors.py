"""The query in the picture of vectors: dragged by mouse and touch, moved by key; sliders, URL and weights follow."""

import json

import numpy as np
import pytest

from tests.support.one_query import expected
from tests.support.vectors import IN_URL, drag, place, query, until_answered, until_drawn

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_on_a_phone_the_numbers_the_bars_and_the_caption_are_on_the_screen_of_the_plane",
        "test_while_it_is_dragged_the_weights_follow_and_on_release_the_sliders_and_the_address",
        "test_no_name_stands_on_another_or_on_what_is_dragged",
        "test_the_answer_to_the_guess_moves_nothing_below",
    ),
]
SAID = "() => document.querySelector('.att-said').textContent"


def test_the_tip_is_dragged_with_the_mouse(screen, picture):
    for angle, length in ((42, 1.5), (200, 3.0), (359, 0.7), (90, 4.0)):
        drag(screen, picture, (angle, length))
        until_answered(screen, q_angle=angle, q_length=length)


@pytest.mark.slow
def test_while_it_is_dragged_the_weights_follow_and_on_release_the_sliders_and_the_address(screen, picture):
    drag(screen, picture, (60, 2.0), (10, 3.0), release=False)
    assert query(picture) == [10, 3.0]
    x, y = place(picture, 10, 3.0)
    handle = picture.locator(".att-handle").bounding_box()
    assert abs(handle["x"] + handle["width"] / 2 - x) < 2
    assert abs(handle["y"] + handle["height"] / 2 - y) < 2
    until_drawn(screen, q_angle=10, q_length=3.0)
    assert screen.parameters == {}
    drag(screen, picture, (200, 1.0), grab=False)
    until_answered(screen, q_angle=200, q_length=1.0)


# The boxes of the names in the plane, and whether two of them meet.
MEET = """(card) => {
  const names = [...card.querySelectorAll('.att-token text, .att-q, .att-mark-name')];
  const boxes = names.map((one) => one.getBoundingClientRect());
  const plane = card.querySelector('svg').getBoundingClientRect();
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const handle = card.querySelector('.att-handle').getBoundingClientRect();
  const [x, y] = [(handle.left + handle.right) / 2, (handle.top + handle.bottom) / 2];
  const within = (at, low, high) => Math.min(Math.max(at, low), high);
  // The circle that is taken, not the square around it.
  const away = (one) => Math.hypot(within(x, one.left, one.right) - x, within(y, one.top, one.bottom) - y);
  const path = card.querySelector('.att-path').getBoundingClientRect();
  const far = path.width / 2;
  const round = Array.from({ length: 360 }, (_, angle) => (angle * Math.PI) / 180).map((angle) =>
    [path.left + far * (1 + Math.cos(angle)), path.top + far * (1 + Math.sin(angle))]);
  const name = card.querySelector('.att-q').getBoundingClientRect();
  const isIn = ([a, b]) => a > name.left && a < name.right && b > name.top + 3 && b < name.bottom - 3;
  return {
    count: boxes.length,
    held: boxes.some((one) => away(one) < handle.width / 2 - 3),
    meet: boxes.some((one, at) => boxes.slice(at + 1).some((other) => meets(one, other))),
    crossed: round.some(isIn),
    inside: boxes.every((one) => one.left >= plane.left && one.right <= plane.right && one.top >= plane.top),
  };
}"""


def test_its_numbers_stand_at_the_tip_and_there_alone(screen, picture):
    """A slider in sight would keep its old number until q is let go: two truths on one screen."""
    assert picture.locator(".att-q").text_content() == "q  130° · 1.5"
    drag(screen, picture, (60, 2.0), release=False)
    assert picture.locator(".att-q").text_content() == "q  60° · 2"
    assert not screen.page.locator("[data-testid=stSlider]").locator("visible=true").count()
    drag(screen, picture, (200, 1.0), grab=False)
    until_answered(screen, q_angle=200, q_length=1.0)
    assert picture.locator(".att-q").text_content() == "q  200° · 1"


@pytest.mark.slow
def test_no_name_stands_on_another_or_on_what_is_dragged(screen, picture):
    """If q points at a word, the names of the word, of q and of the output compete for one place. And the dashed circle
    once went through the name of q."""
    for angle, length in ((130, 1.5), (39, 2.7), (12, 3.2), (150, 2.2), (90, 3.8), (240, 1.0), (42, 2.4)):
        if (angle, length) != (130, 1.5):
            drag(screen, picture, (angle, length))
            until_answered(screen, q_angle=angle, q_length=length)
        seen = {"count": 8, "held": False, "meet": False, "crossed": False, "inside": True}
        assert picture.evaluate(MEET) == seen, (angle, length)


def test_on_a_phone_names_stand_free_at_once(phone):
    """Until q was first moved, its name was placed as if it were empty."""
    for angle, length in ((130, 1.5), (38, 2.6), (117, 2.8)):
        phone.open("/one_query", q_angle=angle, q_length=length)
        seen = {"count": 8, "held": False, "meet": False, "crossed": False, "inside": True}
        assert phone.see("vectors").evaluate(MEET) == seen, (angle, length)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1301, 907), (390, 844)], ids=["desktop", "phone"])
def test_the_answer_to_the_guess_moves_nothing_below(screen, size):
    """The answer has a line or more, and once pushed all panels down."""
    wide, high = size
    screen.page.set_viewport_size({"width": wide, "height": high})
    screen.open("/one_query")
    screen.page.locator(".att-guess button").first.scroll_into_view_if_needed()

    def far() -> float:
        above, below = screen.page.locator(".att-guess"), screen.page.locator(".st-key-drawer-temperature")
        return below.bounding_box()["y"] - above.bounding_box()["y"]

    before = far()
    screen.page.locator(".att-guess button").first.click()
    screen.until_parameter("guess", "length.flatter")
    screen.settle()
    assert screen.page.locator(".att-guess-told").inner_text()
    assert abs(far() - before) < 1


@pytest.mark.parametrize(("angle", "length"), [(130, 1.5), (43, 2.4), (217, 1.1), (293, 3.7)])
def test_once_it_is_answered_a_query_twice_as_long_is_drawn_whichever_way_it_points(screen, angle, length):
    """The longer query goes on from the tip for the same length again, or to the edge, where it ends with a bar;
    upwards and to the left, too."""
    screen.open("/one_query", guess="length.sharper", q_angle=angle, q_length=length)
    screen.see("vectors")
    far = screen.page.evaluate(
        """() => {
      const long = (of) => { const { width, height } = of.getBBox(); return Math.hypot(width, height); };
      return long(document.querySelector('.att-longer')) / long(document.querySelector('.att-arrow'));
    }"""
    )
    assert 0.8 < far < 1.3 or (length > 2 and 0.1 < far < 0.9)


@pytest.mark.slow
def test_on_a_phone_the_numbers_the_bars_and_the_caption_are_on_the_screen_of_the_plane(phone):
    """The phone shows the steps from the score over its power to the weight, as beside the plane. The bars had been
    missing, and the caption was below the fold."""
    phone.open("/one_query")
    picture = phone.card("vectors")
    picture.locator(".att-step").first.wait_for()
    told = picture.locator(".att-step").all_text_contents()
    assert len(told) == 3 * picture.locator(".att-token").count() > 0
    bars = picture.locator(".att-share-bar").evaluate_all(
        "(all) => all.map((one) => Number(one.getAttribute('width')))"
    )
    weights = expected({})[0].numpy()
    large = weights > 0.1
    np.testing.assert_allclose(np.array(bars)[large] / max(bars), weights[large] / weights.max(), rtol=1e-4)
    ends = picture.locator(".att-step, .att-step-name").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    )
    assert min(left for left, _ in ends) >= 0
    assert max(right for _, right in ends) <= 390
    note = picture.locator(".att-note").bounding_box()
    assert note["y"] + note["height"] <= 844


def test_an_answer_that_comes_while_it_is_dragged_does_not_take_it_away(screen, picture):
    """The late answer is to a question asked before; a drag asks several."""
    held = screen.page.context
    late = []
    held.route("**/live?*", lambda route: late.append(route) if not late else route.continue_())
    with screen.page.expect_request("**/live?*"):
        drag(screen, picture, (10, 3.0), release=False)
    assert query(picture) == [10, 3.0]
    drag(screen, picture, (42, 2.0), release=False, grab=False)
    late[0].continue_()
    until_drawn(screen, q_angle=42, q_length=2.0)
    held.unroute("**/live?*")
    screen.page.mouse.up()
    until_answered(screen, q_angle=42, q_length=2.0)


def test_what_was_dragged_away_and_back_has_changed_nothing(screen, picture):
    drag(screen, picture, (60, 2.0), release=False)
    until_drawn(screen, q_angle=60, q_length=2.0)
    drag(screen, picture, (130, 1.5), grab=False)
    until_answered(screen)
    assert screen.parameters == {}


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
    screen.spoil()
    picture.evaluate("(card) => { card.dataset.cancel = 'yes'; }")
    picture.evaluate(TOUCH, [place(picture, 130, 1.5), place(picture, 200, 2.0)])
    assert query(picture) == [130, 1.5]
    assert picture.get_attribute("data-moving") is None


# Pressed one after the other, each from where the last one left the query.
PRESSES = (
    (["ArrowLeft"], 135, 1.5),
    (["ArrowRight"] * 3, 120, 1.5),
    (["ArrowUp"], 120, 1.6),
    (["ArrowDown"] * 4, 120, 1.2),
    (["End"], 120, 4.0),
    (["ArrowUp", "ArrowLeft"], 125, 4.0),
    (["Home"], 125, 0.0),
    (["ArrowDown", "ArrowLeft", "ArrowUp"], 130, 0.1),
    (["ArrowRight"] * 27, 355, 0.1),
)


def test_it_is_moved_from_the_keyboard_and_it_is_said(screen, picture):
    plot = picture.locator(".att-plot")
    for presses, angle, length in PRESSES:
        plot.focus()
        for press in presses:
            plot.press(press)
        assert query(picture) == [angle, length], presses
        until_answered(screen, q_angle=angle, q_length=length)
        assert screen.page.evaluate(SAID) == f"q: angle {angle}°, length {length:g}"


@pytest.mark.exhaustive("browser/test_vectors.py::test_it_is_moved_from_the_keyboard_and_it_is_said")
def test_keys_between_two_steps_go_to_the_next_one(screen):
    screen.open("/one_query", q_angle=42)
    plot = screen.see("vectors").locator(".att-plot")
    plot.press("ArrowLeft")
    assert query(screen.card("vectors")) == [45, 1.5]
    plot.press("ArrowRight")
    plot.press("ArrowRight")
    assert query(screen.card("vectors")) == [35, 1.5]
    until_answered(screen, q_angle=35)


def test_escape_takes_back_where_it_was_before_the_press(screen, picture):
    plot = picture.locator(".att-plot")
    plot.press("ArrowUp")
    plot.press("Escape")
    assert query(picture) == [130, 1.5]
    # If the answer to the move was there already, the answer to the place before comes after it.
    screen.until("() => !document.querySelector('[data-figure=vectors]').hasAttribute('data-moving')")
    assert query(picture) == [130, 1.5]


def test_a_slider_moves_the_arrow(screen, picture):
    """Each slider stands beside its chart; the picture is redrawn when it comes into sight again."""
    for line, name, press, there in (
        ("around", "q_angle", "ArrowRight", {"q_angle": 131}),
        ("temperature", "q_length", "End", {"q_angle": 131, "q_length": 4.0}),
    ):
        screen.page.locator(f".st-key-drawer-{line} summary").click()
        screen.changed(lambda name=name, press=press: screen.slide(name, press))
        screen.see("vectors")
        until_answered(screen, **there)
    assert picture.evaluate("(card) => card.isConnected")


@pytest.mark.exhaustive("browser/test_own.py::test_a_control_writes_the_url_and_changes_the_figures")
def test_the_link_that_a_drag_makes_opens_the_same_picture(screen, picture):
    drag(screen, picture, (222, 2.2))
    until_answered(screen, q_angle=222, q_length=2.2)
    screen.page.reload()
    screen.settle()
    until_answered(screen, q_angle=222, q_length=2.2)


def test_a_drag_redraws_the_figures_of_the_query_and_leaves_the_others(screen, picture):
    # Figures further down exist only after their drawers were opened and near.
    screen.spoil().see("along")
    screen.see("vectors")
    cards = screen.changed(lambda: drag(screen, picture, (42, 2.0)))
    assert all(card["kept"] for card in cards.values())
    before = json.loads(json.dumps(cards))
    cards = screen.changed(lambda: drag(screen, picture, (62, 2.0)))
    changed = {place for place, card in cards.items() if card["stamp"] != before[place]["stamp"]}
    assert "vectors/vectors" in changed
    others = {place for place in cards if place.startswith(("one_token", "products", "all_tokens", "mix"))}
    assert others
    assert not others & changed
    # A figure further down follows when it is scrolled to.
    screen.see("along")
    screen.until(
        "(before) => document.querySelector('.att-card[data-figure=along]').dataset.stamp !== before",
        before["temperature/along"]["stamp"],
    )
