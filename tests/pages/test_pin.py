"""A screen that is kept as A: the pages that can keep it, its way in links, the exchange of sides, damaged ones."""

from dataclasses import replace

import pytest

from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.state.config import Config, looks
from pages.shell.state.page_controls import COMPARE
from pages.shell.state.todays_controls import COSTS
from pages.shell.views import VIEWS
from tests.pages.test_compare import SCREEN, differs, pin
from tests.pages.test_masks import own_figures
from tests.support.app import HOME, PAGES, app, give, held, linked, no_exception


def keys(at):
    return {button.key for button in at.button}


# Every page with a bar can keep a screen, whatever part of it the page shows. The page on costs has no bar, and the
# page on A and B has A itself.
@pytest.mark.parametrize("page", sorted(filter(looks, set(PAGES) - {COSTS, COMPARE})))
def test_a_screen_is_kept_in_the_bar_of_every_page_and_let_go_there(page):
    at = app(page, scale="none", dropout=0.3, painted="AB")
    at.button(key="pin").click().run()
    assert no_exception(at)
    screen = Config(scale="none", dropout=0.3, painted="AB")
    assert Config.unbundled(held(at)["pinned"]) == screen
    assert "pin" not in keys(at)
    assert at.button(key="pin-instead").disabled
    assert not give(at, scale="d_k").button(key="pin-instead").disabled
    assert Config.unbundled(held(at)["pinned"]) == screen
    at.button(key="pin-instead").click().run()
    assert Config.unbundled(held(at)["pinned"]) == replace(screen, scale="d_k")
    at.button(key="pin-let-go").click().run()
    assert "pinned" not in held(at)
    assert keys(at) & {"pin", "pin-instead", "pin-go", "pin-let-go"} == {"pin"}


@pytest.mark.parametrize("page", sorted({*PAGES} - {*filter(looks, PAGES)}))
def test_nothing_is_kept_where_nothing_of_the_screen_is_shown(page):
    assert not keys(app(page, pinned=pin(SCREEN))) & {"pin", "pin-let-go"}


def test_the_sides_are_swapped_and_swapped_back():
    b = {"preset": "random", "text": "a & b = c%\n猫", "head": "2", "mask": "causal & window", "width": "3"}
    given = {"pinned": pin({"scale": "d_k"}), **b}
    once = given | swap(given)
    assert Config.unbundled(once["pinned"]) == linked("compare", **given).config
    assert linked("compare", **once).config == Config(scale="d_k")
    assert linked("compare", **once | swap(once)).config == linked("compare", **given).config
    assert swap(once)["pinned"] == given["pinned"]


def swap(given: dict[str, str]) -> dict[str, str]:
    (block,) = VIEWS["compare.keeping"].blocks(linked("compare", **given))
    (button,) = [one for one in block["buttons"] if one["line"] == say("pin.swap")]
    return button["sets"]


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
    nearest = held(at).get("pinned", "")
    assert nearest != raw
    assert not nearest or nearest == Config.unbundled(nearest).bundled()
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
