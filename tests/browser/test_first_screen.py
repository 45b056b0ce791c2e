"""Above the fold: the sentence with its arcs, the pipeline, one step large, and the arithmetic of its cell."""

import pytest

from tests.support.browser import PHONE
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
        # A note that comes moves nothing.
        parts = [".att-arcs", ".att-moved", ".att-told"]
        before = screen.page.evaluate(PLACES, parts)
        screen.changed(lambda: screen.slide("dropout", "ArrowRight"))
        assert screen.page.locator(".st-key-plot-notes .att-notice").is_visible()
        assert screen.page.evaluate(PLACES, parts) == before
        screen.page.set_viewport_size(PHONE)
        if EVERY_TEST:
            # Otherwise a window that was made smaller.
            screen.page.reload()
        screen.settle()
        places(screen, *SENTENCE, ".att-told", ".att-flow", CHAIN, LARGE)
        # The numbers come after the pipeline, and before all else.
        ends = [".st-key-plot-large", ".st-key-plot-ledger", ".st-key-plot-learned_scores", ".st-key-plot-inputs"]
        tops = [top for _, top, _ in screen.page.evaluate(PLACES, ends)]
        assert tops == sorted(tops)
