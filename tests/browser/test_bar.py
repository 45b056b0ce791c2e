"""The knob bar: always in sight, in words, every knob in one action."""

import pytest

from pages.shell.i18n import LANGUAGES
from pages.shell.i18n.options import word
from pages.shell.layout.more import masks
from pages.shell.state.config import OF_PRESET, Config
from pages.shell.state.fields import Choice
from pages.shell.state.registry import ALL_FIELDS, HOME
from tests.support.browser import PHONE, Screen
from tests.support.covering import some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_every_knob_is_in_sight_on_a_phone_and_leaves_room",
    ),
]

KNOBS = ("heads", "d_k", "mask", "dropout")
LARGEST_ON_A_PHONE = 90
# Whether an element is on top at its own middle.
ON_TOP = """(knob) => {
  const box = knob.getBoundingClientRect();
  const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.width > 0 && (knob.contains(found) || found?.contains(knob));
}"""
# The words of a choice's options as a reader sees them and a screen reader reads them, in the order on the screen.
WORDS = "(key) => [...document.querySelectorAll(`.st-key-${key} [role=radio]`)].map((button) => button.textContent)"


def moved_in_one_action(screen: Screen) -> None:
    """Scroll to the last card, and turn every knob from there, without scrolling back."""
    screen.see("projected", "output")
    screen.settle()
    scrolled = screen.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    assert scrolled > 1000
    for name in KNOBS:
        assert screen.widget(name).evaluate(ON_TOP), name
    screen.changed(lambda: screen.choose("heads", 2))
    screen.changed(lambda: screen.choose("d_k", 4))
    screen.changed(lambda: screen.choose("mask", "causal & window"))
    screen.changed(lambda: screen.slide("dropout", "ArrowRight", "ArrowRight"))
    screen.changed(lambda: screen.press("die"))
    screen.until_parameter("draw", "1")
    expected = {"heads": "2", "d_k": "4", "mask": "causal & window", "dropout": "0.1", "draw": "1"}
    assert screen.parameters == {"preset": "random"} | expected


@pytest.mark.exhaustive("browser/test_bar.py::test_every_knob_is_in_sight_on_a_phone_and_leaves_room")
def test_every_knob_is_in_sight_on_a_desktop(screen):
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open(preset="random")
    moved_in_one_action(screen)


@pytest.mark.slow
def test_every_knob_is_in_sight_on_a_phone_and_leaves_room(screen):
    screen.page.set_viewport_size(PHONE)
    screen.open(preset="random")
    box = screen.page.locator(".st-key-bar").locator("xpath=..").bounding_box()
    assert box["y"] + box["height"] == PHONE["height"]
    assert box["height"] <= LARGEST_ON_A_PHONE
    moved_in_one_action(screen)


@pytest.mark.parametrize("page", ["taming", "backward", "tiles"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_the_bar_of_a_page_with_few_controls_is_one_row(screen, language, page):
    """A second row for one word would take height from the picture."""
    screen.page.set_viewport_size(PHONE)
    screen.open(f"/{page}", lang=language)
    first, last = (screen.page.locator(f".st-key-{name} button").first.bounding_box() for name in ("words", "more"))
    assert first["y"] == last["y"]
    assert last["x"] + last["width"] <= PHONE["width"]


def test_a_slider_that_the_bar_has_alone_stays_as_wide_when_it_is_moved(screen):
    """Moving the slider redraws its part; an element left over from the last drawing made it a third as wide."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open("/heads")
    group = screen.page.locator(".st-key-knobs .stSlider [role=group]")
    wide = group.bounding_box()["width"]
    screen.changed(lambda: screen.slide("heads", "ArrowLeft"))
    screen.until_parameter("heads", "3").settle()
    assert group.bounding_box()["width"] == wide > 200


@pytest.mark.parametrize("language", some(LANGUAGES[::-1], 1))
def test_choices_show_words_and_hold_ids(screen, language):
    screen.open(preset="random", lang=language)
    for name in ("preset", "positions", "mask", "scale", "mode", "lang", "lecture"):
        knob = ALL_FIELDS[name]
        assert isinstance(knob, Choice)
        screen.reach(name)
        # The preset's mask has the name of the mask that it is, and the rarer masks are behind "More".
        offered = masks(HOME, Config(preset="random")) if name == "mask" else knob.options
        options = [option for option in offered if (name, option) != ("mask", OF_PRESET)]
        assert screen.page.evaluate(WORDS, name) == [word(name, option, language) for option in options], name
    for name, option, told in (
        ("scale", "none", "none"),
        ("mask", "window", "window"),
        ("mask", Config(preset="random").used_mask, None),
    ):
        screen.choose(name, option)
        screen.until_parameter(name, told)
