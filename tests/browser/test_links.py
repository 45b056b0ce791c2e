"""Any screen is a link: it opens on a server that nobody has visited, and the URL always says what is shown."""

import numpy as np
import pytest

from pages.shell.i18n import say
from pages.shell.i18n.options import size_of_heads, word
from pages.shell.state.config import AUTO, DEFAULTS, KNOBS, Config
from pages.shell.state.controls import Bundle
from pages.shell.state.fields import CellName, Cells, Choice, Configuration, Edits, Flag, Listed, Text
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, default
from pages.shell.state.url import written
from tests.support.app import HOME, PAGES, computed, deep, edited, recorded
from tests.support.browser import BRIEF, Screen
from tests.support.covering import EXHAUSTIVE, some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_link_is_shown_by_every_widget_and_kept_in_the_url",
        "test_a_parameter_that_equals_the_default_leaves_the_url",
    ),
]

DEEP = {
    "preset": "random",
    "d_model": "33",
    "heads": 3,
    "mask": "window",
    "width": 5,
    # As many words as a tile's side may be long.
    "text": "one two three four five\nsix",
}


def drawn_as_computed(screen: Screen, figure: str, **link) -> bool:
    expected = recorded(computed(**link), figure)
    drawn = screen.numbers(screen.see(figure))
    seen = ~np.isnan(drawn)
    np.testing.assert_allclose(drawn[seen], expected[seen], rtol=1e-4, atol=1e-6)
    return drawn.shape == expected.shape and bool(seen.any())


def test_a_cold_link_opens_the_walkthrough_in_its_state_and_each_other_page_opens_where_it_never_was(tab, fresh_server):
    address = fresh_server().address
    opens_in_its_state(Screen(tab, address), HOME)
    if EXHAUSTIVE:
        # Starting a server for each page is expensive, so only the first of the other pages meets a cold one.
        address = fresh_server().address
    for page in some(sorted(set(PAGES) - {HOME}), 2):
        opens_in_its_state(Screen(tab, address), page)


def opens_in_its_state(screen: Screen, page: str) -> None:
    link = deep(page, DEEP) | BRIEF.get(page, {})
    screen.open("/" if page == HOME else f"/{page}", **link)
    assert screen.page.locator("[data-testid=stMain] h1").inner_text() == say(f"page.{page}.title")
    assert screen.page.locator("[role=dialog]").count() == 0
    assert "not found" not in screen.page.locator("body").inner_text()
    assert screen.parameters == {name: written(value) for name, value in link.items()}
    for name, value in link.items():
        assert held(screen, name) == written(value), name
    if page == HOME:
        assert drawn_as_computed(screen, "weights", **DEEP)
    screen.leave()
    assert not screen.complaints, "\n".join(screen.complaints)


def held(screen: Screen, name: str) -> str:
    """The value that a control's widget shows, as the URL would write it; without a widget, the URL's value."""
    knob, widget = ALL_FIELDS[name], screen.widget(name)
    if not widget.count():
        return screen.parameters.get(name, written(default(name)))
    if isinstance(knob, Flag):
        return written(widget.locator("input").is_checked())
    if isinstance(knob, Text | Configuration | Cells | Edits | Listed | CellName | Bundle):
        # A new box is empty for a frame or two.
        screen.settle()
        return widget.locator("textarea, input").input_value()
    if widget.locator("[role=radio]").count():
        chosen = screen.chosen(name)
        # The widget shows the preset's own mask by the name of the mask.
        is_its_own = name == "mask" and name not in screen.parameters
        return Config.mask if is_its_own and chosen == Config.of(screen.parameters).used_mask else chosen
    slider = widget.locator("input[type=range]")
    if not slider.count():
        return widget.locator("input").first.input_value()
    shown = slider.get_attribute("aria-valuetext")
    if isinstance(knob, Choice):
        # A size that follows from the number of heads is shown by the number that it follows from.
        follows = {size_of_heads(screen.parameters.get("d_model", default("d_model"))): AUTO}
        return ({word(name, option): option for option in knob.options} | follows)[shown]
    return written(type(default(name))(shown))


@pytest.mark.parametrize("page", BY_PAGE)
def test_the_tested_link_leaves_no_control_of_a_page_at_its_default(page):
    link = deep(page, {})
    assert set(link) == set(BY_PAGE[page].knobs())
    assert all(written(value) != written(default(name)) for name, value in link.items())


# A value off the default for every control, except the machine's device and tensors, which need a file.
SCREEN = {
    "preset": "random",
    "text": "one two three four\nfive six, <seven> & more\n猫 坐",
    "positions": "sinusoidal",
    "seed": 7,
    "d_model": "33",
    "heads": 3,
    "d_k": "13",
    "d_v": "5",
    "d_out": "7",
    "bias": True,
    "kv_heads": "1",
    "qk_norm": True,
    "kv_cache": "2",
    "softcap": "5",
    "sink": "1",
    "mask": "window",
    "width": 3,
    "last": 2,
    "corner": "lower_right",
    "padding": False,
    "painted": "CDDADB",
    "edited": edited(x=((1, 1, 2, -0.7),), w_q=((2, 15, 12, 4.0),), b_o=((0, 0, 3, 11.0),)),
    "scale": "d_k",
    "dropout": 0.3,
    "mode": "inference",
    "draw": 5,
    "trained": True,
    "heads_off": "2",
    "trained_p": "0.3",
    "updates": "70",
    "sentence": 2,
    "head": 3,
}
PREFIX = SCREEN | {"mask": "prefix", "length": 3}


def test_the_tested_screen_leaves_no_control_at_its_default():
    assert {*SCREEN, *PREFIX} == set(KNOBS) - {"device", "tensors"}
    assert all(written(value) != written(getattr(DEFAULTS, name)) for name, value in PREFIX.items())


@pytest.mark.slow
@pytest.mark.parametrize("link", some([PREFIX, SCREEN], 1), ids=some(["prefix", "window"], 1))
def test_a_link_is_shown_by_every_widget_and_kept_in_the_url(screen, link):
    screen.open(**link)
    assert screen.parameters == {name: written(value) for name, value in link.items()}
    hidden = {"width"} if link["mask"] == "prefix" else set()
    for name, value in link.items():
        if name not in hidden:
            assert held(screen, name) == written(value), name
    assert screen.page.locator("[data-testid=stToast]").count() == 0
    assert drawn_as_computed(screen, "weights", **link)
    assert drawn_as_computed(screen, "projected", **link)


@pytest.mark.exhaustive("browser/test_links.py::test_a_parameter_that_equals_the_default_leaves_the_url")
def test_the_default_page_has_a_bare_address(screen):
    screen.open()
    assert screen.parameters == {}


@pytest.mark.slow
def test_a_parameter_that_equals_the_default_leaves_the_url(screen):
    screen.open(dropout=0.05)
    screen.slide("dropout", "ArrowLeft")
    screen.until_parameter("dropout", None)
    assert screen.parameters == {}


@pytest.mark.exhaustive("browser/test_orders.py::test_the_address_follows_after_a_change_of_the_preset")
def test_the_address_that_a_control_has_written_opens_the_same_screen(screen):
    screen.open(preset="random", mask="window")
    screen.changed(lambda: screen.slide("width", "ArrowRight"))
    screen.until_parameter("width", "3")
    before = screen.near()
    screen.page.reload()
    screen.settle()
    assert screen.near() == before


def test_the_back_button_restores_the_screen_before(screen):
    screen.open(preset="random", dropout=0.3)
    before = {place: card["stamp"] for place, card in screen.cards().items()}
    screen.open(preset="notebook", mask="full")
    screen.page.go_back()
    screen.until_parameter("dropout", "0.3")
    after = {place: card["stamp"] for place, card in screen.cards().items()}
    # Figures far below may not have been requested yet.
    assert len(after) > 3
    assert after.items() <= before.items()
    assert held(screen, "preset") == "random"
    if EXHAUSTIVE:
        screen.page.go_forward()
        screen.until_parameter("preset", "notebook")
        assert drawn_as_computed(screen, "weights", preset="notebook", mask="full")


@pytest.mark.exhaustive("browser/test_orders.py::test_the_address_follows_after_a_change_of_the_preset")
def test_the_sizes_of_a_link_wait_behind_a_preset_that_fixes_its_own(screen):
    screen.open(preset="story", d_model=33, heads=3)
    assert drawn_as_computed(screen, "weights", preset="story")
    screen.choose("preset", "random")
    screen.until_parameter("preset", "random")
    screen.widget("d_model").get_by_text("33", exact=True).locator("visible=true").first.wait_for()
    assert held(screen, "heads") == "3"
    assert drawn_as_computed(screen, "weights", preset="random", d_model="33", heads=3)
