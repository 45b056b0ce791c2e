"""Every page, opened cold, shows a painted figure above the fold that changes while its first slider is dragged."""

import pytest

from tests.support.app import HOME, PAGES
from tests.support.trained import PAGE as MODELS

# A page of its own each: 18 that are opened, which takes 2 to 3 seconds of each.
pytestmark = pytest.mark.browser
FOLD = {"width": 1400, "height": 900}
# The figures of which at least 60 pixels are painted above the fold, each with the stamp of what it shows.
PAINTED = """() => Object.fromEntries([...document.querySelectorAll('.att-card, [data-view]')].flatMap((one) => {
  const isCard = one.matches('.att-card');
  const figure = isCard ? one.querySelector('.att-plot') : one.querySelector('svg, canvas');
  if (!figure?.checkVisibility({ visibilityProperty: true })) return [];
  const { top, height } = figure.getBoundingClientRect();
  const isPainted = isCard ? one.dataset.drawn === one.dataset.stamp : 'shown' in one.dataset;
  if (!isPainted || height < 40 || top < 0 || top + 60 > innerHeight) return [];
  return [[isCard ? one.dataset.figure : one.dataset.view, isCard ? one.dataset.stamp : one.dataset.shown]];
}))"""
CHANGED = f"(before) => Object.entries(({PAINTED})()).some(([name, stamp]) => name in before && before[name] !== stamp)"
EACH = [pytest.param(page, marks=pytest.mark.models) if page == MODELS else page for page in PAGES]


@pytest.mark.parametrize("page", EACH)
def test_the_first_figure_is_in_sight_and_follows_the_first_slider(screen, page):
    screen.page.set_viewport_size(FOLD)
    screen.open("/" if page == HOME else f"/{page}")
    before = screen.page.evaluate(PAINTED)
    assert before
    if page == MODELS:
        # Its first control is a line of heads.
        screen.page.locator("[data-figure=offered] [role=option]").nth(1).click()
        screen.page.wait_for_function(CHANGED, arg=before)
        return
    slider = screen.page.locator(".stMain input[type=range]:visible:enabled").first
    slider.scroll_into_view_if_needed()
    handle, track = slider.bounding_box(), slider.locator("xpath=ancestor::*[@role='group'][1]").bounding_box()
    middle = handle["y"] + handle["height"] / 2
    # To the end that is farther away.
    share = 0.9 if handle["x"] - track["x"] < track["width"] / 2 else 0.1
    mouse = screen.page.mouse
    # What is to be seen of a handle is its left end.
    mouse.move(handle["x"] + 1, middle)
    mouse.down()
    mouse.move(track["x"] + share * track["width"], middle, steps=3)
    screen.page.wait_for_function(CHANGED, arg=before)
    mouse.up()
    screen.settle()
