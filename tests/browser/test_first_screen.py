"""Above the fold: the sentence with its arcs, the pipeline, one step large, and the arithmetic of its cell."""

import pytest

from pages.shell.i18n import say
from tests.support.browser import PHONE, Screen
from tests.support.covering import EVERY_TEST, some

pytestmark = pytest.mark.browser
WINDOW = {"width": 1400, "height": 900}
# As it opens; with most to choose from; with two notes and what trains a setting; with a sentence that is told.
LINKS = (
    {},
    {"preset": "random", "d_k": 11, "heads": 13, "bias": True},
    {"d_k": 5, "bias": True, "mask": "window", "width": 3, "text": "the fox sings to a wug"},
    {"told": 2, "mask": "causal"},
)
# Where each part begins and ends, from the top of the window.
PLACES = """(parts) => parts.map((part) => {
  const { top, bottom, height } = document.querySelector(part).getBoundingClientRect();
  return [part, height ? Math.round(top) : -1, Math.round(bottom)];
})"""
OVERFLOW = (
    "(part) => { const { scrollWidth, clientWidth } = document.querySelector(part); return scrollWidth - clientWidth; }"
)
SENTENCE = [".st-key-title-walkthrough p", ".att-arcs"]
NUMBERS = [".st-key-plot-ledger", ".att-moved"]
CHAIN = ".st-key-plot-large .att-whole"
LARGE = ".st-key-plot-large .att-plot"


def places(screen, *parts: str) -> None:
    """Each part ends where the next one begins, or before; the last one is in sight."""
    bar = screen.page.locator(".st-key-bar").bounding_box()
    is_below = bar["y"] > PHONE["height"] / 2
    first, last = (0, bar["y"]) if is_below else (bar["y"] + bar["height"], screen.page.viewport_size["height"])
    at = screen.page.evaluate(PLACES, list(parts))
    for (before, top, _), (after, start, end) in zip([("the bar", 0, first), *at], at, strict=False):
        assert start >= first, (after, at)
        assert top <= start, (before, after, at)
        assert end <= last, (after, at)


@pytest.mark.parametrize("link", some(LINKS, 4 if EVERY_TEST else 3), ids=str)
def test_a_desktop_has_the_whole_computation_in_sight(screen, link):
    screen.page.set_viewport_size(WINDOW)
    screen.open("/", **link)
    flow = [".att-told", ".att-flow", CHAIN, LARGE]
    places(screen, *SENTENCE, *flow)
    places(screen, *NUMBERS, *flow[:3], ".att-panel")
    assert screen.page.evaluate(OVERFLOW, ".st-key-plot-formula .att-prose") <= 0
    assert screen.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    if link in LINKS[:2]:
        # With its legend and its sentence, where no second note makes what is above it higher.
        places(screen, CHAIN, ".st-key-plot-large .att-card")
    if link == LINKS[2]:
        # What has no room is scrolled to from the first line on.
        ((_, top, _), (_, first, _)) = screen.page.evaluate(PLACES, [".st-key-notes", ".st-key-plot-notes"])
        assert first >= top
    if not link:
        screen.page.set_viewport_size(PHONE)
        if EVERY_TEST:
            # Otherwise a window that was made smaller.
            screen.page.reload()
        screen.settle()
        # The arithmetic, which goes on in as many lines as it needs, stands below the figure there.
        places(screen, *SENTENCE, ".att-told", ".att-flow", LARGE)
        # The numbers come after the pipeline, and before all else.
        ends = [".st-key-plot-large", ".st-key-plot-ledger", ".st-key-plot-learned_scores", ".st-key-plot-inputs"]
        tops = [top for _, top, _ in screen.page.evaluate(PLACES, ends)]
        assert tops == sorted(tops)


def test_on_a_phone_a_tap_on_a_word_moves_nothing_and_the_menu_closes_after_a_choice(browser, server):
    with browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True) as context:
        phone = Screen(context.new_page(), server)
        phone.page.set_viewport_size(PHONE)
        phone.open("/")
        place = "() => document.querySelector('.att-arcs').getBoundingClientRect().top"
        before = phone.page.evaluate(place)
        phone.changed(lambda: phone.page.locator(".att-word").nth(6).tap())
        phone.settle()
        assert phone.page.evaluate(place) == before
        # The title and what it says stand below each other, and the arithmetic goes on in another line.
        title, lead = (
            phone.page.locator(f".st-key-title-walkthrough {tag}").first.bounding_box() for tag in ("h1", "p")
        )
        assert title["height"] >= 16
        assert lead["y"] >= title["y"] + title["height"]
        chain = phone.page.locator(".st-key-plot-large .att-whole").first
        assert chain.evaluate("(chain) => chain.scrollWidth <= chain.clientWidth")
        phone.page.get_by_test_id("stExpandSidebarButton").tap()
        phone.page.get_by_test_id("stSidebarNavLink").filter(has_text=say("page.masks.title")).tap()
        phone.page.get_by_role("heading", level=1, name=say("page.masks.title")).wait_for()
        # Closed, it stands beside the window.
        beside = "() => document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right <= 1"
        phone.page.wait_for_function(beside)
