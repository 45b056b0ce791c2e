"""A page becomes visible once its first screen is complete, and from then on nothing of it moves."""

import pytest

from tests.support.app import HOME, PAGES
from tests.support.browser import PHONE
from tests.support.covering import EVERY_TEST

# Each test opens pages in a browser of its own, with an empty cache: 3 seconds.
pytestmark = pytest.mark.browser
DESKTOP = {"width": 1400, "height": 900}
# The layout shifts, and the place of every element when the page first becomes visible.
WATCH = """
  window.shift = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value; })
    .observe({ type: 'layout-shift', buffered: true });
  const place = (element) => { const { left, top } = element.getBoundingClientRect(); return { element, left, top }; };
  const isSeen = (element) => {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    return width > 4 && height > 4 && bottom > 0 && top < innerHeight
      && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  // What is drawn as motion, such as a value that is on its way.
  const isMotion = (element) => element.getAnimations().some((one) => one instanceof CSSAnimation);
  requestAnimationFrame(function look() {
    const found = [...document.querySelectorAll('#root *')].filter((one) => isSeen(one) && !isMotion(one));
    if (found.length) window.seen = found.map(place);
    else requestAnimationFrame(look);
  });
"""
# Elements of the first sight that are gone, or have moved by more than 8 pixels.
MOVED = """() => window.seen.map(({ element, left, top }) => {
  const now = element.getBoundingClientRect();
  const isThere = element.isConnected && Math.abs(now.left - left) <= 8 && Math.abs(now.top - top) <= 8;
  return isThere ? '' : `${element.className} ${element.textContent.slice(0, 40)}`;
}).filter(Boolean)"""
COMPLETE = """() => window.seen && !window.asking && document.fonts.status === 'loaded'
  && document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"""
LINKS = [
    ("", DESKTOP),
    ("", PHONE),
    *((page, (DESKTOP, PHONE)[at % 2]) for at, page in enumerate(PAGES) if page != HOME),
]


@pytest.fixture
def page(browser):
    context = browser.new_context(locale="en-GB")
    yield context.new_page()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("path", "window"), LINKS if EVERY_TEST else LINKS[:2])
def test_nothing_that_is_seen_moves(page, server, path, window):
    page.set_viewport_size(window)
    page.add_init_script(WATCH)
    # Once with an empty cache, once with all files.
    for _ in range(2):
        page.goto(f"{server}/{path}")
        page.wait_for_function(COMPLETE)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("() => window.seen.length") > 50
        assert page.evaluate(MOVED) == []
        assert page.evaluate("() => window.shift") <= 0.05


@pytest.mark.slow
def test_a_page_without_figures_is_seen_as_it_is(page, server):
    page.route("**/live?*", lambda route: route.abort())
    page.goto(server)
    page.wait_for_selector(":root:not([data-opening]) [data-testid=stHeading]")


@pytest.mark.slow
def test_a_page_without_our_script_is_seen(page, server):
    page.route("**/assets/plot/mounts.js", lambda route: route.abort())
    page.goto(server)
    page.wait_for_selector("[data-testid=stApp]")
    assert page.evaluate("() => document.querySelector('#root').checkVisibility({ opacityProperty: true })")
