"""A sentence that is played word by word: a word chosen meanwhile stays chosen, lines lead from kept keys and values,
and recomputed ones look the same each time."""

from itertools import pairwise

import pytest

from pages.shell.i18n import say
from pages.shell.runs import decoding

pytestmark = pytest.mark.browser

AT = """(at) => [...document.querySelectorAll('.att-growing .att-word')].findIndex(
    (word) => word.getAttribute('aria-selected') === 'true') === at - 1"""
# Milliseconds: longer than a step takes.
MEANWHILE = 2000


@pytest.mark.slow
def test_a_word_that_is_chosen_ends_the_play(screen):
    screen.open("/one_token", token_at=1)
    page = screen.page
    play = page.locator(".st-key-plot-player [data-does=play]")
    play.click()
    page.wait_for_function(AT, arg=3)
    page.locator(".att-growing .att-word").nth(7).click()
    page.wait_for_function(AT, arg=8)
    page.wait_for_timeout(MEANWHILE)
    assert page.evaluate(AT, 8)
    assert play.get_attribute("aria-label") == say("ui.told_play")


def test_lines_lead_to_the_newest_word_from_all_that_is_kept(screen):
    screen.open("/one_token", token_at=4)
    card = screen.page.locator(".att-growing")
    card.locator(".att-reading").wait_for(state="attached")
    # The path has a stem for each word so far, and the line that they join.
    assert card.locator(".att-reading").get_attribute("d").count("M") == 4 + 1
    assert card.locator(".att-stored").count() == 3
    assert card.locator(".att-head-arc").count() == 0
    # Each stem has a bar of the weight that the newest word gives it, as high as the weight is large.
    weights = decoding.whole().trace["weights"].value[0, 0, 3, :4].tolist()
    written = card.locator("[data-name^='share ']").all_text_contents()
    assert written == [f"{weight:.0%}" for weight in weights]
    heights = card.locator(".att-weight").evaluate_all("(all) => all.map((one) => Number(one.getAttribute('height')))")
    largest = max(range(4), key=weights.__getitem__)
    assert [high / heights[largest] for high in heights] == pytest.approx(
        [weight / weights[largest] for weight in weights], abs=0.06
    )
    rows = screen.tabulate(card).locator("tbody tr")
    counted = [
        rows.nth(at).locator("td").evaluate_all("(cells) => cells.map((one) => one.textContent)") for at in (0, 4)
    ]
    # A key has four numbers and a value has four; words to come have none yet.
    assert [[len(numbers.split(", ")) for numbers in row[:2]] for row in counted] == [[4, 4], [1, 1]]
    assert [row[2:6] for row in counted] == [["1", "4", "1", "1"], ["0", "0", "5", "15"]]


def test_amber_is_around_one_word_with_a_cache_and_around_all_so_far_without(screen):
    screen.open("/one_token", token_at=4)
    card = screen.page.locator(".att-growing")
    card.locator(".att-reading").wait_for(state="attached")
    assert card.locator("[data-name^='frame cached'].att-now").count() == 1
    assert card.locator("[data-name^='frame again'].att-now").count() == 4
    assert card.locator("[data-name^='frame again'].att-before").count() == 1 + 2 + 3
    # The boxes to come are drawn before anything is touched: 11 in all with a cache, 66 without one.
    assert card.locator(".att-to-come").count() == (11 - 4) + (66 - 10)
    amber = card.locator(".att-now").first.evaluate("(one) => getComputedStyle(one).stroke")
    others = card.locator(":is(.att-stored, .att-before, .att-to-come)").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).stroke)"
    )
    assert amber not in others


LOOKS = """(card, [frame, swatch]) => [frame, swatch].map((one) => {
    const { stroke, strokeWidth, fill } = getComputedStyle(card.querySelector(one));
    return `${stroke} ${strokeWidth} ${fill}`;
})"""


@pytest.mark.slow
def test_the_legend_is_drawn_as_the_boxes_are(screen):
    """A swatch that looks like none of the boxes explains none. Black is for the keys and values that a word reads."""
    screen.open("/one_token", token_at=4)
    card = screen.page.locator(".att-growing")
    card.locator(".att-reading").wait_for(state="attached")
    looks = []
    for when in ("stored", "now", "before"):
        frame, swatch = card.evaluate(LOOKS, [f".att-{when}", f".att-swatch-{when}"])
        assert frame == swatch
        looks.append(swatch)
    assert len({*looks}) == 3
    # Keys and values that are not kept are pale, in the picture and in the legend.
    pale = card.locator(".att-step-before").evaluate_all("(all) => all.map((one) => getComputedStyle(one).opacity)")
    assert len(pale) == 3 + 1
    assert {*pale} == {"0.35"}


CELLS = """(card, frame) => [...card.querySelectorAll(`[data-name^="0 ${frame}"] rect, [data-name^="1 ${frame}"] rect`)]
    .map((one) => `${one.getAttribute('x')} ${getComputedStyle(one).fill}`)"""


def test_the_strips_of_a_word_are_the_same_below_each_other(screen):
    """The same numbers stand in the same place, so that a reader sees that they are recomputed in vain."""
    screen.open("/one_token", token_at=4)
    card = screen.page.locator(".att-growing")
    card.locator(".att-reading").wait_for(state="attached")
    first, second = (
        [
            card.evaluate(CELLS, frame)
            for frame in (f"cached {word}", *(f"again {step} {word}" for step in range(word, 4)))
        ]
        for word in (0, 1)
    )
    assert [len(cells) for cells in first + second] == [2 * (4 + 1)] * 9
    assert all(cells == first[0] for cells in first)
    assert all(cells == second[0] for cells in second)
    assert first[0] != second[0]


@pytest.mark.slow
def test_the_counts_stand_at_the_ends_of_the_rows(screen):
    screen.open("/one_token", token_at=4)
    card = screen.page.locator(".att-growing")
    card.locator(".att-reading").wait_for(state="attached")
    assert card.locator("[data-name^='total again']").all_text_contents() == [
        str(words * (words + 1) // 2) for words in range(1, 11 + 1)
    ]
    height = card.bounding_box()["height"]
    assert card.locator(".att-so-far.att-strong").all_text_contents() == ["4", "10"]
    card.locator(".att-word").nth(8).click()
    screen.page.wait_for_function(AT, arg=9)
    assert card.locator(".att-so-far.att-strong").all_text_contents() == ["9", "45"]
    assert card.bounding_box()["height"] == height


def test_the_buttons_and_the_slider_stand_in_one_line(screen):
    screen.open("/one_token", token_at=4)
    play = screen.page.locator(".st-key-plot-player [data-does=play]").bounding_box()
    slider = screen.page.locator(".st-key-transport [data-testid=stSlider]").bounding_box()
    assert slider["y"] < play["y"] + play["height"] / 2 < slider["y"] + slider["height"]
    assert play["x"] + play["width"] < slider["x"]


@pytest.mark.slow
def test_on_a_phone_the_words_stand_once_and_nothing_meets_the_counts(screen):
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/one_token", token_at=7)
    card = screen.page.locator(".att-growing")
    counts, said = (
        [one.bounding_box() for one in card.locator(named).all()]
        for named in ("[data-name^='total again']", "text[data-name^='legend']")
    )
    assert len(counts) == 11
    assert all(one["x"] + one["width"] < counts[0]["x"] or one["y"] > counts[-1]["y"] for one in said)
    # Numbers in type of 12 pixels are 9 pixels high; their boxes have room above and below.
    assert min(below["y"] - above["y"] for above, below in pairwise(counts)) > 11
    written = card.locator("svg text").all_text_contents()
    assert [written.count(word) for word in ("brings", "owl", "hen")] == [1, 1, 1]
    card.locator(".att-word").nth(2).click()
    screen.page.wait_for_function(AT, arg=3)
