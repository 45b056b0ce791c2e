"""The address follows every control moved by hand, in whatever order: it opens the same screen in a fresh browser."""

from itertools import permutations, product

import pytest

from pages.shell.state.config import Config
from pages.shell.state.url import written
from tests.browser.test_links import held
from tests.support.browser import Screen
from tests.support.covering import EVERY_TEST, EXHAUSTIVE, some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_address_follows_after_a_change_of_the_preset",
    ),
]

FOLLOWED = "([name, before]) => new URLSearchParams(location.search).get(name) !== before"
SIZES = ("preset", "heads", "d_k", "d_v")
# For each control, the next option by the one in the address; None is the default.
NEXT = {
    "preset": {"learned": "random", None: "random", "random": "story", "story": "learned"},
    "mask": {None: "window", "window": "prefix", "prefix": "window"},
    "heads": {None: 2, "2": 4},
    "d_k": {None: 8, "8": "auto"},
}


def by_hand(screen: Screen, name: str) -> None:
    """Set one control as a visitor does, and wait until the address follows."""
    before = screen.parameters.get(name)
    if name in NEXT:
        screen.choose(name, NEXT[name][before])
    else:
        # A visitor, too, waits until controls that depend on another one are in their place.
        screen.settle()
        screen.widget(name).locator("input").first.press("ArrowRight")
    screen.until(FOLLOWED, [name, before])


def is_a_link(screen: Screen, browser) -> None:
    """The widgets show what the address says, and a fresh browser shows the same figures."""
    # The address changes before the answer comes.
    screen.settle()
    shown = screen.parameters
    for name in (*SIZES, "mask", "dropout"):
        assert shown.get(name, written(getattr(Config, name))) == held(screen, name), name
    seen = stamps(screen)
    if not EXHAUSTIVE:
        # The same tab takes the place of a fresh browser, since it has the files in its cache.
        screen.page.goto("about:blank")
        screen.page.go_back()
        assert stamps(screen.settle()) == seen
        return
    with browser.new_context() as context:
        other = Screen(context.new_page(), screen.base)
        other.page.goto(screen.page.url)
        other.settle()
        assert stamps(other) == seen
        other.leave()


def stamps(screen: Screen) -> dict[str, str]:
    near = screen.near()
    assert "arcs/arcs" in near
    return near


# Sizes change from those of the preset to the visitor's, and from those to others.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("link", "order"),
    some(product([{"preset": "story"}, {}], permutations(["heads", "d_k", "mask"])), 2 if EVERY_TEST else 1),
    ids=lambda part: "-".join(part) or "learned",
)
def test_the_address_follows_after_a_change_of_the_preset(screen, browser, link, order):
    screen.open("/", **link)
    by_hand(screen, "preset")
    screen.settle()
    for name in order:
        by_hand(screen, name)
    is_a_link(screen, browser)


@pytest.mark.exhaustive("browser/test_orders.py::test_the_address_follows_after_a_change_of_the_preset")
def test_and_after_several_of_them(screen, browser):
    screen.open("/", dropout=0.1)
    for name in ("preset", "d_k", "preset", "mask", "dropout", "preset", "heads", "d_v"):
        by_hand(screen, name)
    is_a_link(screen, browser)


@pytest.mark.exhaustive("browser/test_orders.py::test_the_address_follows_after_a_change_of_the_preset")
def test_what_a_mask_brings_along_is_followed_whenever_it_is_seen(screen, browser):
    screen.open("/", preset="random")
    for name in ("mask", "width", "mask", "mask", "width"):
        by_hand(screen, name)
    assert screen.parameters["width"] == "4"
    is_a_link(screen, browser)


def test_another_page_in_between_changes_nothing(screen, browser):
    screen.open("/")
    by_hand(screen, "preset")
    screen.turn_to("Start", "Masks")
    screen.page.locator(".st-key-title-masks").wait_for()
    screen.settle()
    by_hand(screen, "heads")
    screen.turn_to("Start", "Walkthrough")
    screen.page.locator(".st-key-title-walkthrough").wait_for()
    screen.settle()
    by_hand(screen, "d_k")
    is_a_link(screen, browser)
