"""The duties of every page: a figure at first sight that follows a slider, tables, both themes, a phone, the keyboard.
Each page is opened once for all tests, since opening takes 2 to 3 seconds."""

from collections.abc import Iterator

import pytest

from pages.shell.i18n import say
from tests.browser.test_axe import NAMELESS, complaints
from tests.browser.test_language import TITLE
from tests.shell.test_palettes import PALETTES
from tests.support.app import HOME, PAGES
from tests.support.browser import BRIEF, DESKTOP, PHONE, Screen
from tests.support.covering import EVERY_TEST, EXHAUSTIVE
from tests.support.trained import PAGE as MODELS

pytestmark = pytest.mark.browser

FOLD = {"width": 1400, "height": 900}
# The figures with at least 60 painted pixels above the fold, each with the stamp of its data.
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

# No text of a figure runs out of its box.
BOXES = (
    "() => [...document.querySelectorAll('.att-card h4, .att-note')]"
    ".every((e) => e.clientWidth < 2 || e.scrollWidth <= e.clientWidth + 1)"
)
# The id of each card, whether the keyboard reaches its figure, and what a screen reader says there.
REACHED = """() => [...document.querySelectorAll('.att-plot')].map((plot) => [
  plot.closest('.att-card').dataset.figure, plot.tabIndex >= 0 || plot.querySelector('[tabindex="0"]') !== null,
  plot.getAttribute('aria-label') || plot.querySelector('[aria-label]')?.getAttribute('aria-label')])"""

# The id of each card, its readable title, and the name and presence of its table after it is asked for. All happens in
# one task: otherwise the browser would lay out and paint the tables, as it also does for each focus.
TOLD = """() => {
  const press = (card) => ['.att-more', '[data-item=table]'].forEach((one) => card.querySelector(one).click());
  const { focus } = HTMLElement.prototype;
  // What waits behind a line is told when that is open.
  const lines = [...document.querySelectorAll('details:not([open])')];
  lines.forEach((line) => { line.open = true; });
  const titled = [...document.querySelectorAll('.att-card')]
    .map((card) => [card, card.dataset.figure, card.querySelector('h4')?.innerText.trim()]);
  HTMLElement.prototype.focus = () => {};
  try {
    return titled.map(([card, ...told]) => {
      press(card);
      const table = card.querySelector('.att-table:not([hidden])');
      told.push(table?.querySelector('caption')?.textContent.trim(), Boolean(table?.querySelector('td')));
      press(card);
      return [...told, table?.hidden];
    });
  } finally {
    HTMLElement.prototype.focus = focus;
    lines.forEach((line) => { line.open = false; });
  }
}"""

# Texts that explain a figure. Summaries are left out: they come from its numbers, and may be another figure's.
EXPLAINED = """() => [...document.querySelectorAll('.att-text')]
  .filter((text) => text.checkVisibility()).map((text) => text.textContent).filter(Boolean)"""


# The smallest type of a number in a cell.
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.att-numbers text')]
  .map((number) => parseFloat(getComputedStyle(number).fontSize)))"""


def opened(screen: Screen, page: str) -> Screen:
    return screen.open("/" if page == HOME else f"/{page}", **BRIEF.get(page, {}))


@pytest.fixture(scope="module", params=PAGES)
def page(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def kept(page, the_tab, server) -> Iterator[Screen]:
    """Each page in turn, opened once for all of its tests: a test begins where the last one stopped."""
    screen = Screen(the_tab(), server)
    screen.page.set_viewport_size(FOLD)
    yield opened(screen, page)
    screen.leave()
    assert not screen.complaints, "\n".join(screen.complaints)


@pytest.fixture
def shown(page, kept) -> Screen:
    """The page; opened anew if a test has waited in vain, so that the next one finds a page that answers."""
    return opened(kept, page) if kept.is_stuck else kept


def test_the_first_figure_is_in_sight_and_follows_the_first_slider(shown, page):
    # If an experiment draws the figure, the page is there before it.
    shown.page.wait_for_function(f"() => Object.keys(({PAINTED})()).length > 0")
    before = shown.page.evaluate(PAINTED)
    if page == MODELS:
        # The first control of this page is a line of heads.
        shown.page.locator("[data-figure=offered] .att-head-line").nth(1).click()
        shown.page.wait_for_function(CHANGED, arg=before)
        return
    # On two pages, the first control is part of a figure: a bar between two words, and the tip of a query.
    own = {"positions": "[data-figure=places] [data-holds=both] .att-grip", "one_query": ".att-handle"}.get(page)
    # On the others it is the slider over the whole width or, without one, the first slider of the page.
    wide, every = (f"{place} input[type=range]:visible:enabled" for place in (".st-key-first-slider", ".stMain"))
    slider = shown.page.locator(own or (wide if shown.page.locator(wide).count() else every)).first
    slider.scroll_into_view_if_needed()
    around = "name()='svg'" if own else "@role='group'"
    handle, track = slider.bounding_box(), slider.locator(f"xpath=ancestor::*[{around}][1]").bounding_box()
    middle = handle["y"] + handle["height"] / 2
    # Drag to the end that is farther away.
    share = 0.9 if handle["x"] - track["x"] < track["width"] / 2 else 0.1
    mouse = shown.page.mouse
    # Only the left end of a handle is sure to be visible; a tip is a circle.
    mouse.move(handle["x"] + (handle["width"] / 2 if page == "one_query" else 1), middle)
    mouse.down()
    mouse.move(track["x"] + share * track["width"], middle, steps=3)
    shown.page.wait_for_function(CHANGED, arg=before)
    mouse.up()
    shown.settle()


def test_every_figure_can_be_reached_by_keyboard_and_says_what_it_is(shown):
    reached = shown.page.evaluate(REACHED)
    assert reached
    for name, is_reached, label in reached:
        assert is_reached, name
        assert len(label or "") > 20, name


def test_every_figure_has_a_title_and_a_table_and_no_page_says_a_sentence_twice(shown):
    found = shown.page.evaluate(TOLD)
    assert found
    for name, *told in found:
        assert all(told), (name, told)
    explained = shown.page.evaluate(EXPLAINED)
    assert len(set(explained)) == len(explained)


def is_turn_of(page: str, count: int) -> bool:
    """Whether the page takes part in a check that redraws it: without EXHAUSTIVE=2, every `count`-th page does."""
    return EXHAUSTIVE or PAGES.index(page) % count == 0


def test_chinese_fits_its_place(shown, page):
    if not is_turn_of(page, 2 if EVERY_TEST else 3):
        return
    shown.choose("lang", "zh")
    shown.until(TITLE, say(f"page.{page}.title", "zh"))
    if EXHAUSTIVE:
        shown.page.reload()
        shown.until(TITLE, say(f"page.{page}.title", "zh"))
    assert shown.page.evaluate(BOXES)
    assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_light_and_dark_have_colours_of_their_own(shown, page):
    if not is_turn_of(page, 3):
        return
    colour = "() => getComputedStyle(document.querySelector('.att-card h4')).color"
    light = shown.page.evaluate(colour)
    shown.page.emulate_media(color_scheme="dark")
    shown.until(f"(light) => ({colour})() !== light", light)


def test_a_phone_needs_no_sideways_scrolling(shown):
    shown.page.set_viewport_size(PHONE)
    if EXHAUSTIVE:
        # Open the page on a phone; without EXHAUSTIVE=2, a wide screen becomes one.
        shown.page.reload()
    # The page settles only if a figure is near. The visible ones may have moved away, and the top of a page may only
    # say how to get the models.
    shown.page.evaluate("document.querySelector('.att-card').scrollIntoView()")
    shown.settle()
    wide = "() => Math.max(...[...document.querySelectorAll('.att-card')].map((c) => c.getBoundingClientRect().right))"
    assert shown.page.evaluate(wide) <= PHONE["width"]
    assert shown.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= PHONE["width"]
    # A cell has no number if there is no room for readable type.
    assert shown.page.evaluate(SMALLEST) >= 10


def test_every_page_can_be_read_by_everyone(shown, page):
    if not (EVERY_TEST or is_turn_of(page, 3)):
        return
    shown.page.emulate_media(color_scheme="light")
    shown.page.set_viewport_size(DESKTOP)
    shown.settle()
    # One palette for each page, in turn among all pages or every third, since all pages share their colours. axe judges
    # few pages: what it alone can judge, the value of a field, is on every page.
    turn = PAGES.index(page)
    among = PALETTES if EXHAUSTIVE else [[*PALETTES][(turn if EVERY_TEST else turn // 3) % len(PALETTES)]]
    assert complaints(shown, among=among, by_axe=PALETTES if EXHAUSTIVE else among if turn % 6 == 0 else []) == {}
    count, nameless = shown.page.evaluate(NAMELESS)
    assert count > 5
    assert nameless == []
