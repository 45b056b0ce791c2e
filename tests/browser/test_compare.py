"""A screen is pinned, changed and compared by hand; the link holds both sides, on every page."""

import re
from dataclasses import replace

import pytest

from pages.shell.i18n import say
from pages.shell.state.config import Config
from pages.shell.state.opens_with import OPENS_WITH
from tests.support.app import linked

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_screen_is_pinned_on_the_walkthrough_changed_and_compared",
    ),
]

STORY = Config(preset="story")
UNSCALED = replace(STORY, scale="none").bundled()
# Characters that could end a value, be read as something else, or get lost on the way.
ODD = Config(preset="random", text=" a & b = c%26+d \n猫 <i> ", mask="causal & window", width=3).bundled()


@pytest.mark.slow
def test_a_screen_is_pinned_on_the_walkthrough_changed_and_compared(screen):
    screen.open("/", preset="story", scale="none")
    screen.press("pin")
    screen.until_parameter("pinned", UNSCALED)
    screen.choose("scale", "d_k")
    screen.until_parameter("scale", "d_k")
    # The button that leads to both screens closes its panel, which would cover them.
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
    # After a reload, the matrices are in closed drawers again.
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


# The tops of both pictures, and of the text below them.
PLACES = """() => ['[data-figure=arcs-A]', '[data-figure=arcs-B]', '[data-view="compare.keeping"]']
  .map((place) => Math.round(document.querySelector(place).getBoundingClientRect().top))"""
ARCS = "() => document.querySelectorAll('[data-figure=arcs-B] .att-head-arc').length"


def press(screen, line: str) -> None:
    screen.changed(lambda: screen.page.get_by_role("button", name=line, exact=True).click())


def test_a_stays_while_the_buttons_of_b_change_it_and_b_is_kept_as_a(screen):
    screen.open("/compare")

    def drawn(side):
        return screen.card(f"arcs-{side}").locator(".att-head-arc").count()

    before = drawn("A")
    assert 0 < drawn("B") < before
    press(screen, say("compare.offer.mask"))
    # B is hidden until a guess is made, and the control that was changed before is reset to A's value.
    assert drawn("B") == 0
    screen.until_parameter("heads", "4")
    screen.changed(lambda: screen.page.locator(".att-guess button").last.click())
    assert drawn("B") > 0
    press(screen, say("compare.offer.less_heads"))
    screen.until_parameter("heads", "2")
    screen.until_parameter("mask", None)
    assert drawn("A") == before
    press(screen, say("pin.here"))
    screen.until_parameter("pinned", Config(heads=2).bundled())
    assert drawn("A") == drawn("B") < before


@pytest.mark.parametrize("size", [(1400, 1000), (390, 844)], ids=["desktop", "phone"])
def test_arcs_go_and_come_under_the_finger_and_nothing_moves(screen, size):
    """The slider changes the one chosen setting, and the picture stays in its place."""
    width, height = size
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.open("/compare")
    screen.page.wait_for_function(f"() => ({ARCS})() === 2")
    before = screen.page.evaluate(PLACES)
    slider = screen.page.locator(".st-key-first-slider input[type=range]")
    track = screen.page.locator(".st-key-first-slider [role=group]").first.bounding_box()
    handle = slider.bounding_box()
    middle = handle["y"] + handle["height"] / 2
    mouse = screen.page.mouse
    mouse.move(handle["x"] + 1, middle)
    mouse.down()
    for share, count in ((0.02, 1), (0.98, 3), (0.02, 1)):
        mouse.move(track["x"] + share * track["width"], middle, steps=4)
        screen.page.wait_for_function(f"() => ({ARCS})() === {count}")
        assert screen.page.evaluate(PLACES) == before
    mouse.up()
    screen.until_parameter("heads", "1")
    assert screen.parameters == {"heads": "1", "guess_first": "true"}


def test_the_guess_has_the_place_of_the_slider_and_its_answer_moves_nothing(screen):
    screen.open("/compare")
    before = screen.page.evaluate(PLACES)
    for change in ("positions", "mask"):
        press(screen, say(f"compare.offer.{change}"))
        screen.page.locator(".st-key-first-slider input[type=range]").wait_for(state="detached")
        assert screen.page.evaluate(PLACES) == before
        screen.changed(lambda: screen.page.locator(".att-guess button").nth(1).click())
        assert screen.page.evaluate(PLACES) == before
    press(screen, say("compare.offer.less_updates"))
    assert screen.page.evaluate(PLACES) == before
    screen.changed(lambda: screen.page.locator(".att-guess button").nth(1).click())
    screen.page.locator(".st-key-first-slider input[type=range]").wait_for()
    assert screen.page.evaluate(PLACES) == before


def test_a_second_difference_is_made_in_the_drawer_listed_and_taken_back(screen):
    """On a phone, too, no bar lies on the picture: all controls of B are in a drawer that says what they do."""
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/compare")
    bar = screen.page.locator(".st-key-bar")
    assert not bar.is_visible()
    screen.page.locator("summary", has_text=say("drawer.every_setting")).click()
    bar.wait_for()
    assert bar.locator("xpath=..").evaluate("(bar) => getComputedStyle(bar).position") == "static"
    # The control of the slider stands above the picture, and so not in the bar.
    assert bar.locator("[class*=st-key-heads] input").count() == 0
    bar.locator("[class*=st-key-mask] [role=radio]").last.click()
    screen.until_parameter("mask", "window")
    bar.locator("[class*=st-key-heads] input").wait_for(state="attached")
    # The view is far above the screen, and updates when it comes near.
    screen.page.locator("[data-view='compare.instead']").evaluate("(view) => view.scrollIntoView()")
    taken = screen.page.locator("[data-view='compare.instead'] button")
    taken.nth(1).wait_for()
    assert taken.count() == 2
    screen.changed(lambda: taken.nth(1).click())
    screen.page.locator(".st-key-first-slider input[type=range]").wait_for()
    screen.until_parameter("mask", None)
    assert screen.parameters["heads"] == "2"


def test_the_difference_is_seen_in_the_first_screen(screen):
    screen.open("/compare")
    assert screen.parameters == OPENS_WITH["compare"]
    boxes = [screen.card(figure).locator(".att-plot").bounding_box() for figure in ("arcs-A", "arcs-B")]
    for box in boxes:
        assert box["y"] + box["height"] <= screen.page.viewport_size["height"]
    # Both pictures share one line of words, from which B hangs.
    assert screen.card("arcs-A").locator(".att-word").count() == 11
    assert screen.card("arcs-B").locator(".att-word").count() == 0
    assert 0 <= boxes[1]["y"] - boxes[0]["y"] - boxes[0]["height"] < 20


# Each written answer: its figure, its left edge, and its top.
SCORED = """() => [...document.querySelectorAll('.att-scored')].map((one) => {
  const { left, top } = one.getBoundingClientRect();
  return [one.closest('[data-figure]').dataset.figure, Math.round(left), Math.round(top)];
})"""


def test_what_both_answer_stands_line_under_line(screen):
    """Written above and below the arcs, the answers were half a screen apart, and nobody saw which one differs."""
    screen.open("/compare")
    found = screen.page.evaluate(SCORED)
    assert [figure for figure, *_ in found] == ["arcs-A"] * 6
    a, b = found[:3], found[3:]
    assert [left for _, left, _ in a] == [left for _, left, _ in b]
    (of_a,), (of_b,) = ({top for *_, top in side} for side in (a, b))
    assert 0 < of_b - of_a < 40


@pytest.mark.parametrize("dropout", ["0.6", "0.7", "0.8"])
def test_on_a_phone_no_name_of_an_arc_is_cut_at_the_lower_edge(screen, dropout):
    """Dropout makes arcs wide, and their names stand beyond their feet."""
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/compare", heads=4, dropout=dropout)
    height, *lines = screen.card("arcs-B").evaluate(
        "(card) => ['svg', ...card.querySelectorAll('.att-arc-name')].map((one) => one === 'svg'"
        " ? Number(card.querySelector('.att-plot svg').getAttribute('height')) : Number(one.getAttribute('y')))"
    )
    assert len(lines) >= 2
    # Below the baseline there is room for the tail of a g.
    assert max(lines) <= height - 3
    assert len({round(line) for line in lines}) == len(lines)


def test_on_a_phone_both_stand_on_the_two_sides_of_one_column_of_words(screen):
    """Two bundles of arcs one below the other are no mirror image, so a narrow screen turns the line of words."""
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/compare")
    above, below = (screen.card(figure).locator(".att-plot").bounding_box() for figure in ("arcs-A", "arcs-B"))
    assert above["y"] == below["y"]
    assert above["x"] + above["width"] == pytest.approx(below["x"], abs=1)
    tops = [word.bounding_box()["y"] for word in screen.card("arcs-A").locator(".att-word").all()]
    assert len(tops) == 11
    assert tops == sorted(set(tops))
    assert screen.card("arcs-B").locator(".att-word").count() == 0
    # One answer is lost. Before a guess, dashes show where the answers have to come from, and the table has no numbers.
    assert screen.card("arcs-B").locator(".att-gone-wrong").count() == 1
    press(screen, say("compare.offer.positions"))
    assert screen.card("arcs-B").locator(".att-gone-open").count() == 3
    assert set(screen.tabulate(screen.card("arcs-B")).locator("td").all_inner_texts()) == {
        "–",
        "who?",
        "whom?",
        "to whom?",
    }
    screen.changed(lambda: screen.page.locator(".att-guess button").last.click())
    assert screen.card("arcs-B").locator(".att-head-arc").count() > 0


# The widths of B's arcs, and the names beside them.
WIDE = """() => [...document.querySelectorAll('[data-figure=arcs-B] .att-head-arc:not(.att-lost)')].map((arc) =>
  [arc.dataset.head, arc.dataset.to, arc.getAttribute("stroke-width")].map(Number))"""
SAID = "() => [...document.querySelectorAll('[data-figure=arcs-B] .att-arc-name')].map((one) => one.textContent)"


def test_an_arc_that_dropout_multiplies_is_no_wider_than_a_whole_share(screen):
    """Drawn two and a half times as wide, the arcs that are left covered the dashed one that is lost."""
    screen.open("/compare", heads=4, dropout=0.6, pinned="")
    weights = linked("compare", heads="4", dropout="0.6").run.trace["dropped"].value[0, :, 4]
    assert float(weights.max()) > 2
    wide = {(head, to): width for head, to, width in screen.page.evaluate(WIDE)}
    # The widths are in pixels (head_arcs.js).
    assert wide
    for (head, to), width in wide.items():
        assert width == pytest.approx(15 * min(float(weights[head, to]), 1), abs=0.1)


def test_every_arc_beside_answers_has_the_name_of_its_head(screen):
    """A head in the middle of its training looks at two words, and its second arc had no name."""
    screen.open("/compare", heads=4, updates=80)
    drawn, said = screen.page.evaluate(WIDE), screen.page.evaluate(SAID)
    named = [int(found[1]) - 1 for one in said if (found := re.search(r"head (\d)", one))]
    assert len(drawn) > 4
    assert sorted(named) == sorted(head for head, *_ in drawn)
