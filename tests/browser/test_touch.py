"""A finger on elements that can be dragged, by touch events, which the browser would otherwise take for a scroll."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"
# A finger touches the middle of an element.
MIDDLE = """(element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}"""
HEARS = """() => {
  window.heard = [];
  for (const name of ['pointerdown', 'pointerup', 'pointercancel'])
    addEventListener(name, ({ type }) => window.heard.push(type), true);
}"""
# A hand never moves quite level, and its first move decides whether the page scrolls.
UP, ACROSS = [(1, -12 * step) for step in range(1, 9)], [(-12 * step, 2) for step in range(1, 9)]


def drag(phone, element, way) -> float:
    """The distance by which the page scrolls when a finger goes this way from the middle of an element."""
    page = phone.page
    element.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    before, start = page.evaluate(SCROLLED), element.evaluate(MIDDLE)
    touches = page.context.new_cdp_session(page)
    touches.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [start]})
    for right, down in way:
        point = {"x": start["x"] + right, "y": start["y"] + down}
        touches.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touches.detach()
    return page.evaluate(SCROLLED) - before


@pytest.mark.parametrize(
    ("path", "taken", "way", "setting"),
    [
        ("/order", ".att-moved-word >> nth=6", UP, "word_order"),
        ("/cross_attention", ".att-grabbed >> nth=3", UP, "context"),
        ("/positions", ".att-places [role=slider] >> nth=1", ACROSS, "pos_query"),
        ("/one_query", ".att-handle", UP, "q_angle"),
        ("/tiles", ".att-running [data-hand=tiles]", ACROSS, "tile_at"),
    ],
    ids=lambda part: part if str(part).startswith("/") else "",
)
def test_a_finger_moves_what_is_dragged_and_the_page_stays_where_it_is(phone, path, taken, way, setting):
    phone.open(path)
    element = phone.page.locator(taken)
    element.wait_for()
    phone.page.evaluate(HEARS)
    before = phone.parameters.get(setting)
    scrolled = drag(phone, element, way)
    assert phone.page.evaluate("window.heard") == ["pointerdown", "pointerup"]
    assert scrolled == 0
    phone.until("([name, before]) => new URLSearchParams(location.search).get(name) !== before", [setting, before])


def test_a_finger_moves_the_bar_that_it_has_chosen(phone):
    """The page scrolled, and the bar stayed."""
    phone.open("/backward", goal="answer", goal_at="answer.4.1", updates="70")
    bar = phone.page.locator(".att-flow-back [data-name='told 3 6']")
    bar.wait_for()
    assert drag(phone, bar, UP) > 0
    bar.click()
    phone.until_parameter("pushed", "3.6.36").settle()
    assert drag(phone, bar, UP) == 0
    phone.until("() => new URLSearchParams(location.search).get('pushed') !== '3.6.36'")
    assert int(phone.parameters["pushed"].removeprefix("3.6.")) > 90


def test_a_finger_beside_it_scrolls(phone):
    """The line of the written words, above the one that is dragged, does not take the finger."""
    phone.open("/order")
    word = phone.page.locator(".att-written-word").nth(3)
    word.wait_for()
    assert drag(phone, word, UP) > 0
