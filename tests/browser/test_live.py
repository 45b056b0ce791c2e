"""Figures under the finger: they follow a slider that is held, and say when they are not those of the settings."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support.covering import EVERY_TEST, some

pytestmark = pytest.mark.browser
LARGE = "walkthrough.large"
# These arcs are in sight when the page opens; views out of sight wait until the slider is let go.
ARCS = "walkthrough.arcs"
SHOWN = "(name) => document.querySelector(`[data-view='${name}']`)?.dataset.shown"
STAMPS = """() => Object.fromEntries([...document.querySelectorAll('.att-card')].filter((card) => {
  const { height, top } = card.getBoundingClientRect();
  return height && top < innerHeight;
}).map((card) => [card.dataset.figure, card.dataset.stamp]))"""


def shown(screen, name=LARGE):
    return screen.page.evaluate(SHOWN, name)


def hold(screen, key, share):
    """Grab the handle of a slider, and move it to a share of its track, without letting it go."""
    handle = screen.widget(key).locator("input[type=range]").bounding_box()
    track = screen.widget(key).locator("[role=group]").bounding_box()
    mouse = screen.page.mouse
    # Only the left end of the handle is sure to be visible.
    mouse.move(handle["x"] + 1, handle["y"] + handle["height"] / 2)
    mouse.down()
    mouse.move(track["x"] + share * track["width"], handle["y"] + handle["height"] / 2, steps=5)


# All sliders share the place of the handle and the way that figures follow, so few are held here; test_pages.py holds
# the first slider of each page.
@pytest.mark.parametrize(
    ("key", "share"), some([("d_k", 0.9), ("heads", 0.0), ("dropout", 0.5)], 3 if EVERY_TEST else 1)
)
def test_figures_follow_a_slider_that_is_held(screen, key, share):
    screen.open()
    before = shown(screen, ARCS)
    hold(screen, key, share)
    screen.page.wait_for_function(f"([name, before]) => ({SHOWN})(name) !== before", arg=[ARCS, before])
    assert key not in screen.parameters, "the address is written when the handle is let go"
    screen.page.mouse.up()
    screen.until("(key) => new URLSearchParams(location.search).has(key)", key)
    after = screen.page.evaluate(STAMPS)
    screen.page.reload()
    screen.settle()
    assert screen.page.evaluate(STAMPS) == after


def test_a_key_asks_for_each_view_once_whatever_way_a_number_is_spelt(screen):
    """The slider says 0 for a default of 0.0: if the question did not spell it as the address does, each answer would
    be asked for again once the address is written."""
    screen.open()
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.extend(views_of(request.url)))
    for key, value in (("ArrowRight", "0.05"), ("ArrowLeft", None)):
        asked.clear()
        screen.slide("dropout", key)
        screen.until_parameter("dropout", value)
        screen.settle()
        assert ARCS in asked
        assert len(set(asked)) == len(asked)


def views_of(address):
    """The views that a question to the server names; none for another address."""
    parts = urlsplit(address)
    return [value for name, value in parse_qsl(parts.query) if name == "view"] if parts.path == "/live" else []


@pytest.mark.slow
def test_what_is_clicked_in_a_figure_is_in_the_address_and_the_page_goes_on_from_there(screen):
    screen.open()
    screen.page.locator("[data-step=queries]").click()
    screen.until_parameter("step", "queries")
    screen.page.locator(".att-head-line").nth(2).click()
    screen.until_parameter("head", "3")
    assert screen.parameters["step"] == "queries"
    assert screen.widget("head").locator("input[type=range]").get_attribute("aria-valuetext") == "3"


@pytest.mark.slow
def test_figures_that_are_not_those_of_the_settings_say_so_and_a_server_that_is_busy_is_asked_again(screen):
    screen.open()
    before = shown(screen)
    screen.page.route("**/live?**", lambda route: route.abort())
    screen.slide("dropout", "ArrowRight")
    screen.page.locator(f"[data-view='{LARGE}'][data-old]").wait_for()
    assert shown(screen) == before
    screen.page.unroute("**/live?**")
    screen.page.wait_for_function(f"([name, before]) => ({SHOWN})(name) !== before", arg=[LARGE, before])
    screen.page.locator(f"[data-view='{LARGE}']:not([data-old])").wait_for()
    # The browser itself logs that a request has failed.
    screen.complaints[:] = [text for text in screen.complaints if "ERR_FAILED" not in text]
    screen.settle()
    before, answers = shown(screen), []

    def busy(route):
        answers.append(503)
        if len(answers) > 2:
            route.continue_()
        else:
            route.fulfill(status=503, headers={"retry-after": "1"}, json={"error": "busy"})

    screen.page.route("**/live?**", busy)
    screen.slide("dropout", "ArrowRight")
    screen.page.wait_for_function(f"([name, before]) => ({SHOWN})(name) !== before", arg=[LARGE, before])
    screen.page.unroute("**/live?**")
    screen.settle()
    assert len(answers) > 2
    screen.complaints[:] = [text for text in screen.complaints if "503" not in text]
