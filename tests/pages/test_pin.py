"""A screen that is pinned: where it can be, how it travels, how the sides are swapped, and what a damaged one opens."""

import pytest

from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Compare
from tests.pages.test_compare import SCREEN, differs, pin
from tests.pages.test_masks import own_figures
from tests.support.app import HOME, app, give, held, no_exception


@pytest.mark.parametrize("page", [HOME, "masks", "dropout", "compare"])
def test_a_screen_is_pinned_where_it_is_changed(page):
    at = app(page, scale="none", dropout=0.3, painted="AB")
    assert at.button(key="pin").label == say("pin.pin")
    at.button(key="pin").click().run()
    assert no_exception(at)
    screen = Config(scale="none", dropout=0.3, painted="AB")
    assert Config.unbundled(held(at)["pinned"]) == screen
    assert at.button(key="pin").label == say("pin.done")
    assert not give(at, scale="d_k").button(key="pin").disabled
    assert Config.unbundled(held(at)["pinned"]) == screen


@pytest.mark.parametrize("screen", [{}, SCREEN], ids=str)
def test_a_screen_that_is_pinned_is_not_pinned_again(screen):
    assert app("compare", pinned=pin(screen), **screen).button(key="pin").disabled


@pytest.mark.parametrize("page", ["heads", "cross_attention", "experiments", "order", "scaling", "one_query"])
def test_nothing_is_pinned_where_less_than_the_screen_is_shown(page):
    at = app(page)
    assert "pin" not in [button.key for button in at.button]


def test_the_sides_are_swapped_and_swapped_back():
    b = {"preset": "random", "text": "a & b = c%\n猫", "head": 2, "mask": "causal & window", "width": 3}
    at = app("compare", pinned=pin({"scale": "d_k"}), **b)
    assert not at.toast
    at.button(key="pin-swap").click().run()
    assert no_exception(at)
    assert Config.unbundled(held(at)["pinned"]) == Config(**b)
    assert Config.of(held(at)) == Config(scale="d_k")
    at.button(key="pin-swap").click().run()
    assert Config.of(held(at)) == Config(**b)
    assert held(at)["pinned"] == pin({"scale": "d_k"})


def test_the_button_leads_to_the_comparison_with_what_was_pinned():
    at = app(HOME, scale="none")
    at.button(key="pin").click().run()
    give(at, scale="d_k")
    at.button(key="pin-go").click().run()
    assert no_exception(at)
    assert at.title[0].value == say("page.compare.title")
    assert differs(at) == {say("control.scale.label"): (word("scale", "none"), word("scale", "d_k"))}


@pytest.mark.parametrize(
    "raw",
    [
        "banana",
        "",
        "&&&=&%",
        "pinned=preset%3Drandom",
        "preset",
        "text=" + "x" * 70_000,
        "heads=1e999&d_model=-5&dropout=nan",
        "[1]",
        "<img src=x onerror=alert(1)>",
        "text=%00%1b&preset=random",
        "a=b" * 30_000,
        "mask=%F0%9F&lang=xx",
    ],
    ids=lambda raw: raw[:20],
)
def test_a_damaged_side_opens_the_nearest_screen_and_says_so(raw):
    at = app("compare", pinned=raw)
    assert no_exception(at)
    nearest = held(at).get("pinned", Compare.pinned)
    assert nearest == Config.unbundled(nearest).bundled() != raw
    assert len(at.toast) == 1
    assert "`pinned`" in at.toast[0].value
    assert {"weights-A", "weights-B"} <= set(own_figures(at))
    again = app("compare", pinned=nearest)
    assert held(again) == held(at)
    assert not again.toast


@pytest.mark.parametrize("page", [HOME, "masks", "heads", "order"])
def test_the_pinned_side_travels_unseen(page):
    screen = pin(SCREEN)
    at = app(page, pinned=screen)
    assert held(at)["pinned"] == screen
    assert not at.toast
