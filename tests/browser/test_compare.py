"""A screen is pinned, changed and compared by hand; the link holds both sides, on every page."""

from dataclasses import replace

import pytest

from pages.shell.i18n import say
from pages.shell.state.config import Config
from pages.shell.state.opens_with import OPENS_WITH

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_screen_is_pinned_on_the_walkthrough_changed_and_compared",
    ),
]

STORY = Config(preset="story")
UNSCALED = replace(STORY, scale="none").bundled()
# All that could end a value, be read as something else, or be lost on the way.
ODD = Config(preset="random", text=" a & b = c%26+d \n猫 <i> ", mask="causal & window", width=3).bundled()


@pytest.mark.slow
def test_a_screen_is_pinned_on_the_walkthrough_changed_and_compared(screen):
    screen.open("/", preset="story", scale="none")
    screen.press("pin")
    screen.until_parameter("pinned", UNSCALED)
    screen.choose("scale", "d_k")
    screen.until_parameter("scale", "d_k")
    # The way to both screens covers neither.
    screen.press("pin-go")
    screen.until("() => document.querySelector('.att-card[data-figure=arcs-B]')")
    screen.page.locator("[data-testid=stPopoverBody]").wait_for(state="hidden")
    assert screen.page.locator("[data-testid=stMain] h1").inner_text() == say("page.compare.title")
    screen.until_parameter("scale", "d_k")
    assert screen.parameters == {"preset": "story", "pinned": UNSCALED, "scale": "d_k"}
    difference = screen.numbers(screen.see("weights-difference"))
    stamps = {place: card["stamp"] for place, card in screen.cards().items()}
    screen.page.reload()
    screen.settle()
    # The matrices wait in their drawers again.
    opened = {place: card["stamp"] for place, card in screen.cards().items()}
    assert opened
    assert opened.items() <= stamps.items()
    screen.changed(lambda: screen.page.get_by_role("button", name=say("pin.swap"), exact=True).click())
    screen.until_parameter("scale", "none")
    assert screen.parameters == {
        "preset": "story",
        "pinned": replace(STORY, scale="d_k").bundled(),
        "scale": "none",
    }
    assert screen.numbers(screen.see("weights-difference"))[7, 6] == -difference[7, 6] > 0


def test_a_link_keeps_whatever_was_pinned_from_page_to_page(screen):
    screen.open("/compare", pinned=ODD, seed=5)
    assert screen.parameters == {"pinned": ODD, "seed": "5"}
    assert screen.page.locator("[data-testid=stToast]").count() == 0
    screen.turn_to("Start", say("page.masks.title"))
    screen.until("() => location.pathname === '/masks'")
    screen.until_parameter("pinned", ODD)
    assert screen.parameters == {"pinned": ODD, "seed": "5", **OPENS_WITH["masks"]}


def test_a_stays_while_the_buttons_of_b_change_it_and_b_is_kept_as_a(screen):
    screen.open("/compare")

    def drawn(side):
        return screen.card(f"arcs-{side}").locator(".att-head-arc").count()

    def press(line):
        screen.changed(lambda: screen.page.get_by_role("button", name=line, exact=True).click())

    # B waits for a guess, and each change asks anew.
    assert drawn("B") == 0
    screen.changed(lambda: screen.page.locator(".att-guess button").last.click())
    assert drawn("B") > 0
    before = drawn("A")
    press(say("compare.offer.heads"))
    assert drawn("B") == 0
    screen.until_parameter("heads", "1")
    assert (drawn("A"), screen.parameters["mask"]) == (before, "preset")
    press(say("pin.here"))
    screen.until_parameter("pinned", Config(heads=1).bundled())
    assert drawn("A") == drawn("B") < before


def test_the_difference_is_seen_in_the_first_screen(screen):
    screen.open("/compare")
    assert screen.parameters == OPENS_WITH["compare"]
    boxes = [screen.card(figure).locator(".att-plot").bounding_box() for figure in ("arcs-A", "arcs-B")]
    for box in boxes:
        assert box["y"] + box["height"] <= screen.page.viewport_size["height"]
    # One line of words, from which B hangs.
    assert screen.card("arcs-A").locator(".att-word").count() == 11
    assert screen.card("arcs-B").locator(".att-word").count() == 0
    assert 0 <= boxes[1]["y"] - boxes[0]["y"] - boxes[0]["height"] < 20


def test_on_a_phone_both_stand_on_the_two_sides_of_one_column_of_words(screen):
    """Two knots of arcs one below the other are no mirror: a narrow screen turns the line of words."""
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/compare")
    above, below = (screen.card(figure).locator(".att-plot").bounding_box() for figure in ("arcs-A", "arcs-B"))
    assert above["y"] == below["y"]
    assert above["x"] + above["width"] == pytest.approx(below["x"], abs=1)
    tops = [word.bounding_box()["y"] for word in screen.card("arcs-A").locator(".att-word").all()]
    assert len(tops) == 11
    assert tops == sorted(set(tops))
    assert screen.card("arcs-B").locator(".att-word").count() == 0
    # Before the guess, where the answers have to come from, and in the table no number.
    assert screen.card("arcs-B").locator(".att-gone-open").count() == 3
    assert set(screen.tabulate(screen.card("arcs-B")).locator("td").all_inner_texts()) == {
        "–",
        "who?",
        "whom?",
        "to whom?",
    }
    screen.changed(lambda: screen.page.locator(".att-guess button").last.click())
    assert screen.card("arcs-B").locator(".att-head-arc").count() > 0
