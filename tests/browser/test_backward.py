"""Gradients by hand: on the page, and in the pipeline behind its switch."""

import re
from itertools import pairwise

import numpy as np
import pytest

from pages.shell.i18n import say
from pages.shell.runs.backward import Goal, found
from pages.shell.state.opens_with import OPENS_WITH
from tests.support.app import computed
from tests.support.browser import PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_click_on_a_word_differentiates_its_output",
        "test_each_number_is_tied_to_its_own_arc",
        "test_each_head_has_a_line_and_the_strongest_push_an_edge",
        "test_while_the_slider_is_held_weights_follow_their_arrows_and_nothing_jumps",
        "test_the_opening_screen_has_one_slider_one_play_and_one_picture",
        "test_the_dot_of_the_curve_is_below_the_thumb_of_the_slider",
        "test_a_slider_that_is_taken_while_it_is_played_belongs_to_the_hand",
        "test_the_training_is_played_to_its_end",
        "test_a_number_is_chosen_in_the_pipeline_and_every_step_has_its_gradient",
    ),
]
LINK = {"preset": "random", "text": "one two three four five", "heads": 3, "head": 2, "mask": "causal"}
# The parameters with which the page opens, without the guess that its arrows wait for.
OPENS = {name: text for name, text in OPENS_WITH["backward"].items() if name != "guess_first"}
SAID = "(part) => document.querySelector('.stMain').innerText.includes(part)"
FROM_HERE = ".att-view[data-view='walkthrough.backwards'] .att-button"


def gradient(cell: tuple[str, int, int], id: str) -> np.ndarray:
    run = computed(**LINK)
    return found(run, Goal("cell", cell), 0).gradients[id].of(**run.where).numpy()


@pytest.mark.slow
def test_a_number_is_chosen_in_the_pipeline_and_every_step_has_its_gradient(screen):
    screen.open("/", **LINK, backward=True)
    screen.click(screen.see("weights", "large"), 3, 1)
    screen.until_parameter("cell", "weights.3.1.pipeline")
    screen.page.locator(FROM_HERE).click()
    screen.until_parameter("backward_of", "weights.3.1")
    screen.page.locator(".att-tile[data-step=scaled]").locator(".att-cells").click()
    screen.until_parameter("step", "scaled").settle()
    drawn = screen.numbers(screen.see("d_scaled", "large"))
    np.testing.assert_allclose(np.nan_to_num(drawn), gradient(("weights", 3, 1), "scaled"), rtol=1e-4, atol=1e-6)
    # A click on a gradient chooses the same cell in the gradient and in its step.
    screen.click(screen.card("d_scaled", "large"), 3, 2)
    screen.until_parameter("cell", "scaled.3.2.pipeline").settle()
    frames = screen.page.locator(".st-key-pipeline .att-chosen:visible")
    assert [frame.get_attribute("data-at") for frame in frames.all()] == ["3,2", "3,2"]
    screen.page.set_viewport_size(PHONE)
    screen.settle()
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.slow
def test_a_click_on_a_word_differentiates_its_output(screen):
    screen.open("/backward", **OPENS)
    figure = screen.page.locator(".att-flow-back")
    before = figure.locator(".att-note").text_content()
    figure.locator(".att-word", has_text="owl").click()
    screen.until(
        "(before) => document.querySelector('.att-flow-back .att-note').textContent !== before", before
    ).settle()
    assert screen.parameters["goal_at"] == "answer.6.4"
    assert figure.locator(".att-word[aria-selected=true]").text_content() == "owl"
    # By key, too.
    figure.locator(".att-word[aria-selected=true]").focus()
    screen.page.keyboard.press("ArrowLeft")
    screen.page.keyboard.press("Enter")
    screen.until("() => new URL(location).searchParams.get('goal_at').startsWith('answer.5.')")


@pytest.mark.slow
def test_each_head_has_a_line_and_the_strongest_push_an_edge(screen):
    screen.open("/backward", **OPENS)
    figure = screen.page.locator(".att-flow-back")
    assert figure.locator("[data-name^='weights ']").count() == 4
    strongest = figure.locator(".att-push-strongest").bounding_box()
    # The strongest push is in the fourth head at 'fox', where a pointer is told its numbers. Its edge is around the
    # bar, too.
    field = figure.locator("[data-name='told 3 3']")
    around = field.bounding_box()
    assert around["x"] < strongest["x"] + strongest["width"] / 2 < around["x"] + around["width"]
    assert strongest["height"] > 0.5 * around["height"]
    assert strongest["width"] > 1.5 * figure.locator("[data-name='key weight']").bounding_box()["width"]
    assert re.search("−\\d\\.\\d\\d", field.locator("title").text_content())
    assert "head 4 looks a little less at 'fox'" in figure.locator(".att-note").inner_text()
    # The name of the lane of answers stands above its lines.
    words, line = (
        figure.locator(f"[data-name='{name}']").bounding_box() for name in ("lane answers", "answers frames")
    )
    assert figure.locator("[data-name='lane answers']").text_content() == say("backward.lane.answers_alone")
    assert words["y"] + words["height"] / 2 < line["y"]
    full = screen.page.locator(".att-meter[aria-pressed=true]").evaluate(
        "(one) => one.style.getPropertyValue('--att-full')"
    )
    assert 0 < float(full.removesuffix("%")) < 50
    # An arrow up does not look like a bar, nor like an arrow down.
    looks = [figure.locator(f"[data-name='{name} 3']") for name in ("weights", "up", "down")]
    assert len({look.evaluate("(one) => getComputedStyle(one).fill") for look in looks}) == 3
    # The slider shows the count of steps, so there is none beside the buttons.
    assert screen.page.locator(".st-key-first-slider .att-count").text_content() == ""


def test_the_key_draws_arrows_as_large_as_the_lines_do(screen):
    """A weak arrow that is drawn as large as a strong one of the key looks strong."""
    for width in (1400, 390):
        screen.page.set_viewport_size({"width": width, "height": 844})
        # This answer has arrows of all three sizes, the strongest of which has an edge.
        screen.open("/backward", **FOX)
        of_key, of_lines = screen.page.locator(".att-flow-back").evaluate(ARROWS)
        assert len(set(of_lines)) == 3
        # The key shows the smallest arrow up and down, because that size is in every picture with an arrow.
        assert of_key == [min(of_lines)] * 2


def test_the_key_stands_beside_the_lines_and_on_a_phone_below_them(screen):
    """The key's largest arrow once stood between the words of the sentence."""
    for width in (1400, 390):
        screen.page.set_viewport_size({"width": width, "height": 844})
        screen.open("/backward", **OPENS)
        figure = screen.page.locator(".att-flow-back")
        key = [figure.locator(f"[data-name='key {name}']").bounding_box() for name in ("weight", "up", "down", "wrong")]
        last = figure.locator("[data-name='told 3 10']").bounding_box()
        words = figure.locator(".att-word").first.bounding_box()
        assert all(one["y"] > words["y"] + words["height"] for one in key)
        if width == 1400:
            assert all(one["x"] > last["x"] + last["width"] for one in key)
            # The text of the key is three short lines.
            assert figure.locator("[data-name^='key '][data-name$=' said']").count() == 3
        else:
            assert all(one["y"] > last["y"] + last["height"] for one in key)


@pytest.mark.slow
def test_while_the_slider_is_held_weights_follow_their_arrows_and_nothing_jumps(screen):
    """The word's weights move along their arrows, a strong arrow down lowers its weight, and the URL changes only when
    the slider is let go."""
    screen.open("/backward", **FOX)
    figure, mouse = screen.page.locator(".att-flow-back"), screen.page.mouse
    places = places_of(screen)
    slider = screen.widget("answer_steps").locator("[role=group]").bounding_box()
    # The ends of the track are half a thumb inside the slider.
    left, wide = slider["x"] + 6, slider["width"] - 12
    mouse.move(left, slider["y"] + slider["height"] / 2)
    mouse.down()
    for steps in (1, 7, 15):
        mouse.move(left + wide * steps / 15, slider["y"] + slider["height"] / 2, steps=3)
        said = say("backward.alone.step" if steps == 1 else "backward.alone.steps", steps=steps, **SHARES[steps])
        screen.until(SAID, said)
        assert places_of(screen) == places
    assert "answer_steps" not in screen.parameters
    mouse.up()
    screen.until_parameter("answer_steps", "15").settle()
    # At the owl in the fourth head, a line marks the old weight of 0.47, and the bar is lower.
    field = figure.locator("[data-name='told 3 6']")
    assert re.search("weight 0.47 → 0.0\\d", field.locator("title").text_content())
    assert all(figure.locator(f"[data-name='{name} 3']").get_attribute("d") for name in ("before", "missed"))
    # Each arrow has a tick at the old weight; the numbers stand at the bar that the pointer is on.
    assert (
        sum((one.get_attribute("d") or "").count("M") for one in figure.locator("[data-name^='before ']").all()) == 11
    )
    field.hover()
    assert re.fullmatch("0.47 → 0.0\\d", figure.locator("[data-name=pointed]").text_content())
    # Arrows are pale; those whose weight moved the other way are hollow.
    assert figure.locator("[data-name='down 3']").evaluate("(one) => getComputedStyle(one).opacity") == "0.45"
    assert figure.locator("[data-name='missed 3']").evaluate("(one) => getComputedStyle(one).fill") == "none"
    hollow = [figure.locator(f"[data-name='missed {head}']").get_attribute("d").count("M") for head in range(4)]
    assert hollow == [0, 0, 0, 2]
    # The table has the old and the new weight.
    figure.locator(".att-more").click()
    figure.locator(".att-items button").last.click()
    assert re.search("0.47 → 0.0\\d", figure.locator("table tr").filter(has_text=re.compile("^owl")).inner_text())
    # A click shows another word after the same steps.
    figure.locator(".att-word", has_text="owl").click()
    screen.until_parameter("learned_from", "answer.3.4")
    assert screen.parameters["answer_steps"] == "15"


# Parts below the slider, above the picture and below it, whose jumps a reader would see.
HELD = (".att-flow-back .att-note", ".att-flow-back svg", "[data-name='key wrong']", ".st-key-bar")


def places_of(screen) -> list[dict[str, float]]:
    places = [screen.page.locator(part).bounding_box() for part in HELD]
    # This line of the key is shorter when the line of newly wrong answers is beside it.
    del places[2]["width"]
    return places


# An answer with eleven arrows, and its probability after some steps.
FOX = {"goal": "answer", "goal_at": "answer.3.4", "updates": "110"}
SHARES = {
    steps: {"answer": "'old'", "then": "0.11", "now": now} for steps, now in ((1, "0.17"), (7, "0.75"), (15, "0.93"))
}


def test_the_opening_screen_has_one_slider_one_play_and_one_picture(screen):
    """The screen had two sliders, players and pictures, one story below the other; on a phone, the bar hid the legend
    behind its two rows."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open("/backward", **OPENS)
    assert screen.page.locator(".st-key-foremost .stSlider").count() == 1
    assert screen.page.locator(".st-key-foremost .att-player").count() == 1
    drawer = screen.page.locator(".st-key-drawer-whole_training")
    assert not screen.page.locator(".st-key-whole-training").is_visible()
    assert drawer.bounding_box()["y"] < 900
    screen.page.set_viewport_size(PHONE)
    screen.settle()
    bar = screen.page.locator(".st-key-bar").bounding_box()
    assert bar["height"] < 60
    key = [one.bounding_box() for one in screen.page.locator("[data-name^='key '][data-name$=' said']").all()]
    assert len(key) == 3
    assert all(one["y"] + one["height"] < bar["y"] for one in key)


def test_the_weight_that_matters_is_guessed_and_a_bar_is_dragged_to_the_right_answer(screen):
    """The guess brings the arrows. A drag shows its effect while the bar is held, and keys do the same."""
    screen.open("/backward")
    figure, mouse = screen.page.locator(".att-flow-back"), screen.page.mouse
    assert figure.locator(".att-push-strongest").count() == 0
    play = screen.page.locator(".st-key-first-slider [data-does=play]")
    filled = "one => getComputedStyle(one).backgroundColor"
    quiet, note = play.evaluate(filled), figure.locator(".att-note").evaluate("one => getComputedStyle(one).fontWeight")
    assert note == "600"
    figure.locator("[data-name='told 0 1']").click()
    screen.until_parameter("guess", "arrow_4_1.0-1").settle()
    # After the guess, the play button is filled, since learning comes next.
    assert play.evaluate(filled) != quiet
    assert figure.locator(".att-lane-mark").text_content() == "✗"
    assert figure.locator(".att-push-strongest").count() == 1
    # A click after the guess shows a bar, and judges nothing.
    figure.locator("[data-name='told 3 3']").click()
    screen.until_parameter("pushed", "3.3.54").settle()
    assert screen.parameters["guess"] == "arrow_4_1.0-1"
    bar = figure.locator("[data-name='told 3 6']").bounding_box()
    x = bar["x"] + bar["width"] / 2
    mouse.move(x, bar["y"] + 0.6 * bar["height"])
    mouse.down()
    mouse.move(x, bar["y"] + 0.25 * bar["height"], steps=4)
    screen.until(SAID, "It says 'owl' now, which is right.")
    assert screen.parameters["pushed"] == "3.3.54"
    mouse.up()
    screen.until("() => new URL(location).searchParams.get('pushed')?.startsWith('3.6.7')").settle()
    screen.until(SAID, "The price: one of the other right answers")
    # A lost answer is marked.
    assert [one.get_attribute("data-name") for one in figure.locator("[data-name^='lost ']").all()] == ["lost 4 2"]
    dropped = int(screen.parameters["pushed"].removeprefix("3.6."))
    # Arrow keys go from a word down to its bars, and minus lowers a bar.
    figure.locator(".att-word").nth(6).focus()
    for _ in range(4):
        screen.page.keyboard.press("ArrowDown")
    screen.page.keyboard.press("-")
    screen.until_parameter("pushed", f"3.6.{dropped - 5}").settle()
    screen.page.get_by_role("button", name=say("backward.hand.back")).click()
    screen.until_parameter("pushed", None)


def test_until_its_verdict_has_come_a_second_click_answers_nothing(screen):
    """A second click answered again, and the verdict stood on another bar than the guess."""
    screen.open("/backward")
    figure = screen.page.locator(".att-flow-back")
    screen.page.route("**/live**", lambda route: None)
    try:
        figure.locator("[data-name='told 0 1']").click()
        screen.page.wait_for_function("() => new URL(location).searchParams.has('guess')")
        figure.locator("[data-name='told 3 3']").click()
    finally:
        # Let the held requests go on.
        screen.page.unroute("**/live**")
    figure.locator(".att-lane-mark", has_text="✗").wait_for()
    screen.settle()
    assert screen.parameters["guess"] == "arrow_4_1.0-1"
    assert figure.locator("[data-name=marked]").count() == 1


def test_on_a_phone_the_guess_and_the_way_around_it_are_in_sight(screen):
    """The button was below the screen, behind the bar, and marks lay on slanted words."""
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/backward")
    skip = screen.page.get_by_role("button", name=say("backward.guess.show")).bounding_box()
    bar = screen.page.locator(".st-key-bar").bounding_box()
    assert skip["y"] + skip["height"] < bar["y"]
    figure = screen.page.locator(".att-flow-back")
    lowest = max(one.bounding_box()["y"] for one in figure.locator("[data-name^='told 0 ']").all())
    for word in figure.locator(".att-word:has(.att-lane-wrong)").all():
        mark = word.locator(".att-lane-wrong").bounding_box()
        assert mark["y"] > max(one.bounding_box()["y"] for one in figure.locator(".att-word text").all())
        assert mark["y"] + mark["height"] < lowest


def test_the_steps_are_played_and_the_arrows_come_true(screen):
    """The page has one play button. When it is pressed, weights move along their arrows until the answer is right."""
    screen.open("/backward", **OPENS)
    field = screen.page.locator(".att-flow-back [data-name='told 3 6'] title")
    screen.page.locator(".st-key-first-slider [data-does=play]").click()
    screen.until_parameter("answer_steps", "4")
    screen.page.locator(".st-key-first-slider [data-does=play]").click()
    screen.settle()
    then, now = re.search("weight (0\\.\\d\\d) → (0\\.\\d\\d)", field.text_content()).groups()
    assert float(now) > float(then)
    assert screen.page.locator(".att-flow-back [data-name='missed 3']").get_attribute("d") == ""
    # The picture shows the gain, the price, and the part that the weights alone bring.
    figure = screen.page.locator(".att-flow-back")
    assert re.search(
        "'owl' went from 0.07 to 0.\\d\\d\\. .*other right answers", figure.locator(".att-note").inner_text()
    )
    bars = [figure.locator(f"[data-name='gain {row}']").bounding_box()["width"] for row in (0, 1)]
    frame = figure.locator("[data-name='gain frame 1']").bounding_box()["width"]
    assert 0 < bars[0] < bars[1] < frame
    # The gain by looking elsewhere is drawn in both bars, and its share is written below.
    looks = [figure.locator(f"[data-name='gain looks {row}']").bounding_box()["width"] for row in (0, 1)]
    assert looks == pytest.approx([bars[0], bars[0]], abs=0.5)
    said = " ".join(figure.locator("[data-name^='gain said ']").all_text_contents())
    part = int(re.search("brings (\\d+)% of the gain: most of it is in what the heads bring", said)[1])
    then, weights, now = (float(one) for one in (0.07, *figure.locator(".att-gain-number").all_text_contents()))
    assert part == pytest.approx(100 * (weights - then) / (now - then), abs=4)


@pytest.mark.slow
def test_a_slider_that_is_taken_while_it_is_played_belongs_to_the_hand(screen):
    """The player went on, and each of its steps took the slider out of the hand."""
    screen.open("/backward", **OPENS)
    play, mouse = screen.page.locator(".st-key-first-slider [data-does=play]"), screen.page.mouse
    track = screen.widget("answer_steps").locator("[role=group]").bounding_box()
    left, wide, y = track["x"] + 6, track["width"] - 12, track["y"] + track["height"] / 2
    play.click()
    mouse.move(left + wide * 2 / 15, y)
    screen.until_parameter("answer_steps", "2")
    screen.until("() => document.querySelector('[class*=\"st-key-answer_steps--2\"] input[type=range]')")
    mouse.down()
    assert play.inner_text().startswith("▶")
    mouse.move(left + wide * 12 / 15, y, steps=5)
    mouse.up()
    screen.until_parameter("answer_steps", "12").settle()
    assert play.inner_text().startswith("▶")


def test_a_marked_word_is_answered_wrong_and_a_click_shows_it(screen):
    """Most words are answered right, so a click on an unmarked one mostly showed nothing."""
    screen.open("/backward", **OPENS)
    figure = screen.page.locator(".att-flow-back")
    marked = figure.locator(".att-word:has(.att-lane-wrong)")
    assert [one.locator("text").text_content() for one in marked.all()] == ["fox", "brings", "hen"]
    assert say("backward.mistake", word="hen", question="what like?") in marked.last.get_attribute("aria-label")
    marked.last.click()
    screen.until_parameter("goal_at", "answer.10.4").settle()
    assert "still gets this answer wrong" in screen.page.locator(".st-key-plot-asked").inner_text()
    # The table names the wrong answer, too.
    figure.locator(".att-more").click()
    figure.locator(".att-items button").last.click()
    assert "hen, wrong answer: what like?" in figure.locator("table").inner_text()


def test_how_much_looking_elsewhere_brings_is_within_the_picture(screen):
    """Chinese has no spaces, so its lines ran beyond the edge."""
    for lang, width in (("en", 1400), ("zh", 1400), ("zh", 390)):
        screen.page.set_viewport_size({"width": width, "height": 844})
        screen.open("/backward", **OPENS, answer_steps=15, lang=lang)
        edge = screen.page.locator(".att-flow-back svg").bounding_box()
        lines = [one.bounding_box() for one in screen.page.locator("[data-name^='gain said ']").all()]
        assert lines
        assert all(one["x"] + one["width"] <= edge["x"] + edge["width"] for one in lines)


def test_what_the_steps_have_cost_is_marked_and_named_in_the_key_without_moving_anything(screen):
    """A word whose answer the steps had spoiled had the same line as words that were wrong at rest."""
    screen.open("/backward", goal="answer", updates=80)
    figure = screen.page.locator(".att-flow-back")
    high = figure.bounding_box()["height"]
    assert figure.locator(".att-newly").count() == 0
    screen.open("/backward", goal="answer", updates=80, answer_steps=15)
    thick = figure.locator(".att-word:has(.att-newly) text")
    assert thick.all_text_contents() == ["brings", "the"]
    assert figure.get_by_text(say("backward.lane.wrong_newly"), exact=True).is_visible()
    wide = [
        figure.locator(f".att-word .att-lane-wrong{kind}").first.evaluate("one => getComputedStyle(one).strokeWidth")
        for kind in (":not(.att-newly)", ".att-newly")
    ]
    assert wide == ["2px", "4px"]
    assert figure.bounding_box()["height"] == pytest.approx(high, abs=1)


def test_the_stops_of_the_training_are_written_under_its_slider(screen):
    screen.open("/backward", goal="answer", updates=80)
    stops = screen.page.locator(".att-stops span")
    assert [one for one in stops.all_text_contents() if one] == [*map(str, range(0, 141, 20))]
    here = stops.filter(has_text=re.compile("^80$")).bounding_box()
    chosen = screen.widget("updates").get_by_text("80", exact=True).bounding_box()
    assert abs(here["x"] + here["width"] / 2 - chosen["x"] - chosen["width"] / 2) < 4
    assert 0 < here["y"] - chosen["y"] < 50


@pytest.mark.slow
def test_the_dot_of_the_curve_is_below_the_thumb_of_the_slider(screen):
    """On any screen, a reader compares the curve with the stops of the slider above it."""
    for width in (1400, 390):
        screen.page.set_viewport_size({"width": width, "height": 844})
        screen.open("/backward", goal="answer", goal_at="answer.3.4", updates=90)
        screen.widget("updates").scroll_into_view_if_needed()
        screen.page.locator(".att-course [data-name=dot]").wait_for()
        thumb = screen.widget("updates").get_by_text("90", exact=True).bounding_box()
        dot = screen.page.locator(".att-course [data-name=dot]").bounding_box()
        assert abs(dot["x"] + dot["width"] / 2 - thumb["x"] - thumb["width"] / 2) < 4
        assert thumb["y"] < dot["y"] < thumb["y"] + 100
    screen.page.locator(".att-course .att-more").click()
    screen.page.locator(".att-course .att-items button").last.click()
    assert "0.02" in screen.page.locator(".att-course table tr").filter(has_text=re.compile("^90")).inner_text()


# The play button of the training, in its drawer.
PLAY = ".st-key-whole-training [data-does=play]"


@pytest.mark.slow
def test_the_training_is_played_to_its_end(screen):
    """The film ends at the stop from which on the answer is right, though the slider goes on; played again from there,
    it begins anew."""
    screen.open("/backward", goal="answer", goal_at="answer.10.4", updates=90)
    play = screen.page.locator(PLAY)
    play.click()
    screen.until_parameter("updates", "100")
    screen.until_parameter("updates", "110").settle()
    screen.until(SAID, "hardly any push is left")
    screen.until(f"() => document.querySelector('{PLAY}').textContent.startsWith('▶')")
    assert screen.page.locator(".att-push-strongest").count() == 0
    assert screen.widget("updates").locator("input[type=range]").input_value() == "11"
    play.click()
    screen.until_parameter("updates", "0")
    play.click()
    # From one of the last stops, the film begins anew, since it would be too short.
    screen.open("/backward", **FOX)
    play.click()
    screen.until_parameter("updates", "0")
    play.click()


def test_from_stop_to_stop_weights_travel_and_arrows_do_not(screen):
    """The frame of the strongest push slid through cells that it did not mean, and arrows slid over one another."""
    screen.open("/backward", **OPENS)
    travels = "(one) => getComputedStyle(one).transitionProperty === 'd'"
    of_class = {
        name: screen.page.locator(f".att-flow-back .{name}").first.evaluate(travels)
        for name in ("att-lane-weight", "att-push", "att-push-strongest")
    }
    assert of_class == {"att-lane-weight": True, "att-push": False, "att-push-strongest": False}


def test_on_a_phone_the_line_of_the_training_has_the_width_below_its_buttons(screen):
    """Beside the buttons, the line was squeezed to five rows, and ran into the number of the slider."""
    screen.page.set_viewport_size(PHONE)
    screen.open("/backward", **FOX)
    buttons = screen.page.locator(PLAY).bounding_box()
    said = screen.page.locator(".st-key-whole-training .att-told p")
    line = said.bounding_box()
    # The paragraph is higher than its text, so the text itself is measured.
    bottom = said.evaluate(
        "(one) => { const all = new Range(); all.selectNodeContents(one); return all.getBoundingClientRect().bottom; }"
    )
    number = screen.widget("updates").get_by_text("110", exact=True).first.bounding_box()
    assert buttons["y"] + buttons["height"] <= line["y"]
    assert line["width"] > 0.8 * PHONE["width"]
    assert bottom <= number["y"]


def test_the_end_of_the_training_leads_to_where_the_answer_was_wrong(screen):
    """A click on a word changes the question only; a button beside it leads to the word's arrows."""
    screen.open("/backward", goal="answer", updates=140)
    screen.page.locator(".att-flow-back .att-word", has_text="hen").click()
    screen.until_parameter("goal_at", "answer.10.4").settle()
    assert screen.parameters["updates"] == "140"
    screen.page.get_by_role("button", name=say("backward.answer.when_wrong")).click()
    screen.until_parameter("updates", "90").settle()
    assert screen.parameters["goal_at"] == "answer.10.4"
    assert screen.page.locator(".att-push-strongest").count() == 1
    assert screen.widget("updates").locator("input[type=range]").input_value() == "9"


def test_on_a_phone_the_words_stand_once_and_all_heads_are_on_the_first_screen(screen):
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/backward", **OPENS)
    figure = screen.page.locator(".att-flow-back")
    # Three answers of one word were as thin as hairs.
    answers = [figure.locator(f"[data-name='answer 4 {of}']").bounding_box() for of in range(3)]
    assert all(one["width"] > 8 for one in answers)
    assert all(one["x"] + one["width"] <= after["x"] + 0.5 for one, after in pairwise(answers))
    written = figure.locator("svg text").all_text_contents()
    assert [written.count(word) for word in ("brings", "owl", "hen")] == [1, 1, 1]
    last = figure.locator("[data-name='told 3 0']").bounding_box()
    # The last bar ends well above the bar of controls.
    assert last["y"] + last["height"] + 20 < screen.page.locator(".st-key-bar").bounding_box()["y"]
    figure.locator(".att-word").nth(6).click()
    screen.until("() => new URL(location).searchParams.get('goal_at').startsWith('answer.6.')")


# The heights of the arrows in the key, and of those in the heads' lines.
ARROWS = """(figure) => {
  const heights = (name) => [...figure.querySelectorAll(`[data-name^="${name}"]`)].flatMap((drawn) =>
    drawn.getAttribute("d")?.split("M").slice(1).map((one) => {
      const heights = one.match(/-?[\\d.]+,-?[\\d.]+/g).map((point) => Number(point.split(",")[1]));
      return Math.round(Math.max(...heights) - Math.min(...heights));
    }) ?? []);
  const lines = [...heights("up "), ...heights("down ")].filter((high) => high > 0);
  return [["key up", "key down"].flatMap(heights), lines];
}"""


# Whether the line from each number beside an arc ends on that arc and not in the air.
ENDS = """() => [...document.querySelectorAll(".att-lead-end")].map((dot) => {
  const [, , to, at] = dot.dataset.name.split(" ");
  const name = document.querySelector(`[data-name="name ${to} ${at}"]`);
  const written = name.textContent.match(/\\d+/)[0];
  const arc = document.querySelector(`[data-name="arc ${written - 1} ${to}"]`);
  return arc.isPointInStroke(new DOMPoint(Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))));
})"""


def test_each_number_is_tied_to_its_own_arc(screen):
    screen.open("/backward", goal="loss", updates="120")
    on_arcs = screen.page.evaluate(ENDS)
    assert len(on_arcs) == screen.page.locator(".att-flow-back .att-arc-name").count() == 5
    assert all(on_arcs)


def test_on_the_page_a_value_is_differentiated_a_gradient_is_told_and_training_goes_on(screen):
    screen.open("/backward", **LINK)
    screen.click(screen.see("queries", "backward-queries"), 2, 1)
    screen.until_parameter("goal_at", "queries.2.1").settle()
    drawn = screen.numbers(screen.see("d_w_q", "backward-w_q"))
    np.testing.assert_allclose(drawn, gradient(("queries", 2, 1), "w_q"), rtol=1e-4, atol=1e-6)
    screen.click(screen.card("d_w_q", "backward-w_q"), 4, 1)
    screen.until_parameter("cell", "d_w_q.4.1.backward-w_q")
    screen.until(SAID, say("backward.gradient", title=say("step.w_q.title")))
    screen.press("sgd-10")
    screen.until_parameter("sgd_steps", "10")
    screen.until(SAID, "Step 10:")
