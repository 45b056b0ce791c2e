"""The cost of an answer in the browser: it restyles and lays out the changed elements, not the page."""

import pytest

from tests.browser.test_live import ARCS, SHOWN, hold, shown

pytestmark = pytest.mark.browser
COUNT = """() => {
  window.travelling = 0;
  addEventListener('transitionrun', ({ target }) => { window.travelling += Boolean(target.closest('.att-arcs')); });
}"""
CATEGORIES = "devtools.timeline,disabled-by-default-devtools.timeline"


def judged(screen, act):
    """How many elements the browser restyled during `act`; an element counts each time."""
    session, events, ended = screen.page.context.new_cdp_session(screen.page), [], []
    session.on("Tracing.dataCollected", lambda found: events.extend(found["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    session.send("Tracing.start", {"categories": CATEGORIES, "transferMode": "ReportEvents"})
    act()
    session.send("Tracing.end")
    for _ in range(1500):
        if ended:
            break
        screen.page.wait_for_timeout(20)
    assert ended, "the trace did not end within 30 s"
    session.detach()
    found = [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]
    assert found, "the trace has no styles in it"
    return sum(found)


@pytest.mark.slow
def test_an_answer_has_the_browser_judge_less_than_the_page(screen):
    """A `:has()` rule over the page restyled the page for each added element: all of it ten times."""
    screen.open()
    screen.page.evaluate(COUNT)
    hold(screen, "dropout", 0.2)
    box = screen.widget("dropout").locator("[role=group]").bounding_box()
    shares = (0.3, 0.5, 0.7, 0.4)

    def drag():
        for share in shares:
            before = shown(screen, ARCS)
            screen.page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
            screen.page.wait_for_function(f"([name, before]) => ({SHOWN})(name) !== before", arg=[ARCS, before])

    each = judged(screen, drag) / len(shares)
    travelling = screen.page.evaluate("window.travelling")
    screen.page.mouse.up()
    screen.settle()
    assert each < screen.page.evaluate("document.querySelectorAll('[data-testid=stMain] *').length")
    assert travelling == 0, "a figure under the finger travels on its own"
    # Nor do figures move on their own after a key: each frame of a motion would keep the rest of the page waiting.
    before = shown(screen, ARCS)
    screen.slide("dropout", "ArrowRight")
    screen.until(f"([name, before]) => ({SHOWN})(name) !== before", [ARCS, before])
    screen.settle()
    assert screen.page.evaluate("window.travelling") == 0, "a figure travels after a key of a slider"
    # A figure that is clicked does move, to show which shape becomes which.
    screen.card("arcs").locator(".att-word").nth(1).click()
    screen.until("() => window.travelling > 0")
    # Each motion sends an event to Streamlit's page, so a head has one, whatever the number of words.
    heads, shapes = (screen.page.locator(f".att-asking .{name}").count() for name in ("att-head-line", "att-share"))
    assert shapes == heads > 0
