"""Words that are dragged along a line of places, and query heads that light up the key head that they read."""

import numpy as np
import pytest

from pages.shell.i18n import say
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import fewer_keys, positions
from tests.support.app import linked

# The verdicts at the right end, in the order of the kinds.
VERDICTS = ("stays", "changes", "changes", "stays", "stays")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_word_is_dragged_and_both_are_and_scores_follow",
    ),
]

CENTRE = """(held) => {
  const { left, width, top, height } = held.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
# The lit query heads, key heads, lines to key heads, and answers, counted from 1.
LIT = """(card) => ['.att-query', '.att-key', '[data-name^="reads"]', '.att-answered'].map((kind) =>
  [...card.querySelectorAll(kind)].flatMap((one, at) => (one.closest('[data-lit]') ? [at + 1] : [])))"""

# Records the places of a key head that slides into its average, and whether it is hidden, as it is once it arrives.
FOLLOWED = """() => {
  Object.assign(window, { places: [], hidden: false });
  const one = document.querySelector('[data-name="keys 7"]');
  const look = () => {
    const [place, { visibility }] = [one.getBoundingClientRect().x, getComputedStyle(one)];
    if (places.at(-1) !== place) places.push(place);
    window.hidden = visibility === "hidden";
    requestAnimationFrame(look);
  };
  look();
}"""
# Counts the elements that an answer changes in a figure.
CHANGED = """(card) => {
  window.changed = new Set();
  new MutationObserver((all) => all.forEach(({ target }) => window.changed.add(target)))
    .observe(card.querySelector('svg'), { subtree: true, attributes: true, childList: true, characterData: true });
}"""
# The pixels of a picture in a figure, by name.
PIXELS = """async (card, name) => {
  const image = new Image();
  image.src = card.querySelector(`[data-name="${name}"]`).getAttribute("href");
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return [image.width, image.height, [...data].filter((_, at) => at % 4 < 3)];
}"""
# The largest distance of the end of head 7's line from the answer above it; seen: the ends of that answer.
LAGGING = """(card) => {
  const line = card.querySelector('[data-name="asks 6"]');
  const answer = card.querySelector('[data-name="answered by 0"]');
  window.lagging = 0;
  window.seen = new Set();
  const look = () => {
    const [, y] = getComputedStyle(line).d.match(/-?[0-9.]+/g).map(Number);
    const { y: top, height } = answer.getBBox();
    const end = top + height;
    window.seen.add(Math.round(end));
    window.lagging = Math.max(window.lagging, Math.abs(y - end) - 4);
    requestAnimationFrame(look);
  };
  look();
}"""
# The word with the largest weight of the chosen head.
LONGEST = """(card) => {
  const shares = [...card.querySelectorAll('[data-name^="share "][class]')].filter((one) => one.tagName === "g");
  const long = shares.map((one) => Number(one.style.transform.match(/scaleX\\((.*)\\)/)[1]));
  return long.indexOf(Math.max(...long));
}"""


def drag(screen, card, held, places, *, release=True):
    grip = card.locator(f"[data-holds={held}] .att-grip")
    card.scroll_into_view_if_needed()
    x, y = grip.evaluate(CENTRE)
    step = card.locator(".att-road").first.evaluate("(road) => road.getBoundingClientRect().width") / 63
    screen.page.mouse.move(x, y)
    screen.page.mouse.down()
    screen.page.mouse.move(x + places * step, y, steps=4)
    if release:
        screen.page.mouse.up()


def told(card):
    """The scores in the order of the kinds of positions."""
    return card.evaluate("(card) => [...card.querySelectorAll('.att-kind-score')].map((one) => one.textContent)")


@pytest.mark.slow
def test_a_word_is_dragged_and_both_are_and_scores_follow(screen):
    screen.open("/positions")
    line, scores = screen.see("places"), screen.see("kinds")
    before = told(scores)
    # Scores follow while the words are held; the address has the places once they are let go.
    screen.changed(lambda: drag(screen, line, "both", 30, release=False))
    screen.until("(line) => line.dataset.at === '37,30' && !('moving' in line.dataset)", line.element_handle())
    moved = told(scores)
    stays = [old == new for old, new in zip(before, moved, strict=True)]
    assert stays == [True, False, False, True, True]
    assert screen.parameters == OPENS_WITH["positions"]
    screen.page.mouse.up()
    screen.until_parameter("pos_key", "30")
    assert screen.parameters["pos_query"] == "37"
    # A word stops at the end of the line.
    drag(screen, line, "query", 99)
    screen.until_parameter("pos_query", "63")
    assert line.get_attribute("data-at") == "63,30"
    alone = told(scores)
    stays = [old == new for old, new in zip(moved, alone, strict=True)]
    assert stays == [True, False, False, False, False]
    key = line.locator("[data-holds=key]")
    key.focus()
    for press in ("ArrowRight", "PageDown", "Home", "ArrowUp"):
        key.press(press)
    assert key.get_attribute("aria-valuenow") == "1"
    screen.until_parameter("pos_key", "1")
    rows = screen.tabulate(line).locator("tr").all_inner_texts()
    assert [row.split()[-1] for row in rows] == ["63", "1"]


def test_verdicts_and_colour_come_when_the_bar_has_reached_the_end(screen):
    """A visitor finds out by dragging, and then sees whether the guess was right."""
    screen.open("/positions")
    line, card = screen.see("places"), screen.see("kinds")
    verdicts = "(card) => [...card.querySelectorAll('[data-name^=verdict]')].map((one) => one.textContent[0]).join('')"
    # One kind already shows an example of the question about the others.
    assert card.evaluate(verdicts) == "✕"
    assert card.locator(".att-whole").count() == 1
    assert card.locator(".att-good").count() == 0
    # Guess by a click about learned positions, and by a key about rotary ones.
    guesses = card.get_by_role("checkbox")
    assert guesses.count() == 4
    guesses.nth(1).locator("rect").first.click()
    screen.until_parameter("guess", "keeps.learned")
    guesses.nth(2).focus()
    screen.page.keyboard.press(" ")
    screen.until_parameter("guess", "keeps.learned-rotary")
    checked = "(card) => [...card.querySelectorAll('[role=checkbox]')].map((one) => one.ariaChecked === 'true')"
    screen.until(f"(card) => String(({checked})(card)) === 'false,true,true,false'", card.element_handle())
    drag(screen, line, "both", 99, release=False)
    screen.until("(card) => card.querySelectorAll('.att-good').length === 3", card.element_handle())
    assert card.evaluate(verdicts) == "✓✕✕✓✓"
    said = card.locator("[data-name^=guessed]").all_text_contents()
    assert [one[0] for one in said] == ["✗", "✗", "✓", "✗"]
    # The next question is which scores change when one word moves alone.
    screen.page.mouse.up()
    assert guesses.count() == 5
    guesses.nth(0).locator("rect").first.click()
    screen.until_parameter("guess", "keeps.learned-rotary,varies.none")
    rows = screen.tabulate(card).locator("tr").all_inner_texts()
    assert [say(f"positions.does.{one}") in row for one, row in zip(VERDICTS, rows[-5:], strict=True)] == [True] * 5


def test_scores_are_drawn_as_far_as_the_words_have_come(screen):
    """The rest of the axis is empty, which invites a visitor to drag on."""
    screen.open("/positions")
    line, card = screen.see("places"), screen.see("kinds")
    points = """(card) => [...card.querySelectorAll('[data-name^=curve]')].map(
        (one) => one.getAttribute('d').split('L').length)"""
    assert card.evaluate(points) == [1] * 5
    screen.changed(lambda: drag(screen, line, "both", 30))
    screen.until_parameter("pos_query", "37")
    assert card.evaluate(points) == [31] * 5
    # If one word moves alone, scores are drawn from the other word on.
    screen.changed(lambda: drag(screen, line, "key", -13))
    screen.until_parameter("pos_alone", "key")
    assert card.evaluate(points) == [21] * 5
    # If both move again, scores are drawn from the first place where both fit on the line at their distance.
    screen.changed(lambda: drag(screen, line, "both", -5))
    screen.until_parameter("pos_query", "32")
    assert "pos_alone" not in screen.parameters
    assert card.evaluate(points) == [13] * 5


def test_a_phone_shows_all_kinds_with_the_bar_that_moves_them(screen):
    """Nobody sees a curve that is drawn below the screen."""
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open("/positions")
    screen.page.evaluate("scrollTo(0, 0)")
    ends = screen.see("kinds").evaluate(
        "(card) => [...card.querySelectorAll('.att-room')].map((one) => one.getBoundingClientRect().bottom)"
    )
    assert len(ends) == 5
    assert max(ends) < 844
    assert screen.see("places").bounding_box()["y"] > 0


def test_all_kinds_have_one_scale_with_the_ends_of_their_scores(screen):
    screen.open("/positions")
    shown = screen.see("kinds").evaluate(
        "(card) => [...card.querySelectorAll('.att-scale')].map((one) => one.textContent)"
    )
    (block,) = positions.kinds.blocks(linked("positions"))
    ends = block["cards"][0]["kinds"]["ends"]
    assert [float(text.replace("−", "-")) for text in shown[:2]] == pytest.approx(ends, abs=0.51)
    assert len(shown) == 3


def test_pointing_at_a_query_head_lights_up_its_key_head_and_the_answers_to_its_question(screen):
    """The whole picture is about the head under the pointer; else frame and answers would be about two heads."""
    screen.open("/fewer_keys", kv_of_8="4", asks=4)
    card = screen.see("reads")
    assert card.evaluate(LIT) == [[4], [3, 4], [4], []]
    query = card.locator(".att-one[role=option]")
    query.nth(6).hover()
    # Two key heads are merged, so both are lit at one place.
    assert card.evaluate(LIT) == [[7], [7, 8], [7], [1]]
    # Pointing at a key head lights up all query heads that read it.
    card.locator('[data-name^="keys "]').nth(4).hover()
    assert card.evaluate(LIT) == [[5, 6], [5, 6], [5, 6], [3]]
    screen.page.mouse.move(0, 0)
    assert card.evaluate(LIT) == [[4], [3, 4], [4], []]
    query.nth(3).focus()
    for press in ("End", "ArrowLeft"):
        screen.page.keyboard.press(press)
    assert card.evaluate(LIT) == [[7], [7, 8], [7], [1]]
    screen.changed(lambda: screen.page.keyboard.press("Enter"))
    screen.until_parameter("asks", "7")
    # The chosen head keeps the focus for the next key.
    assert screen.page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    assert "7" in screen.see("head-scores").locator("h4").inner_text()
    screen.changed(lambda: query.nth(0).click())
    screen.until_parameter("asks", "1")
    assert card.evaluate(LIT) == [[1], [1, 2], [1], []]
    # Each key head travels to the query head that reads it.
    screen.changed(lambda: screen.slide("kv_of_8", "End"))
    assert card.evaluate(LIT) == [[1], [1], [1], []]
    assert card.locator("[data-merged]").count() == 0


@pytest.mark.parametrize("wide", [1301, 389])
def test_answers_are_lost_with_the_key_heads_and_come_back_by_training_and_nothing_below_moves(screen, wide):
    """Visitors read one picture: the drag spoils its answers, and the slider beside it repairs them."""
    screen.page.set_viewport_size({"width": wide, "height": 907})
    screen.open("/fewer_keys")
    card = screen.see("reads")
    below = screen.page.locator("summary").first
    slider = screen.page.locator(".st-key-first-slider")

    def far() -> float:
        """The distance below the sliders, since a key scrolls to the slider that it moves."""
        return below.bounding_box()["y"] - slider.bounding_box()["y"]

    places = {far()}
    # The player of the training takes the place of the guess beside the sliders.
    screen.page.locator(".att-guess button").nth(1).click()
    screen.until_parameter("guess", "shared.one")
    screen.settle()
    places.add(far())
    for wrong in (1, 2, 3):
        assert card.locator(".att-wrong").count() == wrong - 1
        screen.changed(lambda: screen.slide("kv_of_8", "ArrowLeft"))
        assert card.locator(".att-wrong").count() == wrong == card.locator(".att-rightly").count()
        places.add(far())
    screen.changed(lambda: screen.slide("kv_trained", "End"))
    screen.until_parameter("kv_trained", "100")
    assert card.locator(".att-wrong, .att-rightly").count() == 0
    places.add(far())
    assert max(places) - min(places) < 1


def test_key_heads_slide_into_their_average_under_the_finger(screen):
    """If the average appeared at once, a visitor would see two pictures, but not that one becomes the other."""
    screen.open("/fewer_keys")
    card = screen.see("reads")
    screen.page.evaluate(FOLLOWED)
    track = screen.widget("kv_of_8").locator("[role=group]").bounding_box()
    y = track["y"] + track["height"] / 2
    screen.page.mouse.move(track["x"] + track["width"] - 6, y)
    screen.page.mouse.down()
    screen.page.mouse.move(track["x"] + track["width"] * 2 / 3, y, steps=5)
    screen.until("(card) => card.querySelectorAll('[data-merged]').length === 4", card.element_handle())
    screen.until("() => window.hidden")
    places = screen.page.evaluate("window.places")
    # There are places between the first and the last one, each nearer to the end.
    assert len(places) > 3
    assert places == sorted(places, reverse=True)
    # Move to and fro until a head arrives at once: a slide that never ends would be painted in every frame.
    for at in range(40):
        screen.page.mouse.move(track["x"] + track["width"] * (1 + at % 2) / 3, y)
        if not screen.page.evaluate("document.querySelector('.att-sharing svg').hasAttribute('data-travels')"):
            break
        screen.page.wait_for_timeout(60)
    assert card.evaluate("(card) => card.getAnimations({ subtree: true }).length") == 0
    screen.page.mouse.up()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_key_head_is_one_picture_of_its_keys_and_values_in_the_colours_of_the_theme(screen, theme):
    """A column is a word, and a row is a feature. A transposed picture, or one in the colours of the other theme, would
    be coloured, too."""
    screen.page.emulate_media(color_scheme=theme)
    screen.open("/fewer_keys", kv_of_8="2", kv_sentence="dog")
    card = screen.see("reads")
    scale = [
        [int(colour.strip()[at : at + 2], 16) for at in (1, 3, 5)]
        for colour in card.evaluate(
            "(card) => getComputedStyle(card).getPropertyValue('--st-chart-diverging-colors')"
        ).split(",")
    ]
    # The legend of the colours stands below, from negative to positive.
    legend = card.locator(".att-legend-colour")
    key = legend.evaluate_all(
        "(parts) => parts.map((part) => [part.getAttribute('fill'), part.getBoundingClientRect().x])"
    )
    assert [[int(fill[at : at + 2], 16) for at in (1, 3, 5)] for fill, _ in key] == scale
    ends = [card.locator(f"[data-name='legend {end}']").bounding_box()["x"] for end in ("below", "above")]
    assert [ends[0], *(x for _, x in key), ends[1]] == sorted([*ends, *(x for _, x in key)])
    (block,) = fewer_keys.shared.blocks(linked("fewer_keys", kv_of_8="2", kv_sentence="dog"))
    drawn = block["cards"][0]["sharing"]
    places = np.linspace(0, 1, len(scale))
    for name, keys in (("cells keys 7", drawn["made"][1]), ("cells own 4", drawn["own"][4])):
        wide, high, pixels = card.evaluate(PIXELS, name)
        assert (wide, high) == np.shape(keys)
        shares = (np.array(keys).T / drawn["most"] + 1) / 2
        expected = np.stack([np.interp(shares, places, part) for part in np.transpose(scale)], -1)
        np.testing.assert_allclose(np.reshape(pixels, (high, wide, 3)), expected, atol=2.5)


def test_an_answer_under_the_finger_changes_few_elements(screen):
    """With one element for each cell, some eight hundred were changed and drawn for each value, and the drag waited."""
    screen.open("/fewer_keys", kv_of_8="2", kv_sentence="dog")
    card = screen.see("reads")
    card.evaluate(CHANGED)
    screen.changed(lambda: screen.slide("kv_trained", "End"))
    screen.until("(card) => card.querySelectorAll('.att-wrong').length === 0", card.element_handle())
    assert 8 < screen.page.evaluate("window.changed.size") < 120


def test_the_training_is_played_until_all_answers_are_back(screen):
    """The film begins at the averaged layer and is slow enough to be seen; the slider follows it."""
    screen.open("/fewer_keys", kv_of_8="2", kv_sentence="dog")
    card = screen.see("reads")
    assert card.locator(".att-wrong").count() == 2
    screen.page.locator("[data-does=play]").first.click()
    screen.until_parameter("kv_trained", "20")
    screen.until("(card) => card.querySelectorAll('.att-wrong').length === 1", card.element_handle())
    screen.until_parameter("kv_trained", "40")
    screen.until("(card) => card.querySelectorAll('.att-wrong').length === 0", card.element_handle())


def test_a_line_to_an_answer_ends_at_its_box_at_each_moment(screen):
    """The line arrived after the answer, crossed “right: frog” on its way, and then hung below it."""
    screen.open("/fewer_keys", kv_of_8="2", kv_sentence="dog", asks="7")
    card = screen.see("reads")
    card.evaluate(LAGGING)
    screen.page.locator("[data-does=play]").first.click()
    screen.until("(card) => card.querySelectorAll('.att-wrong').length === 0", card.element_handle())
    assert screen.page.evaluate("window.seen.size") > 1
    assert screen.page.evaluate("window.lagging") < 1


def test_pointing_at_a_query_head_shows_what_it_takes_from_each_word(screen):
    """A clicked head only said its number, and nothing about its weights."""
    screen.open("/fewer_keys", kv_of_8="8", kv_sentence="dog", asks="7")
    card = screen.see("reads")

    def longest() -> str:
        at = card.evaluate(LONGEST)
        return card.locator(f"[data-name='word {at}']").text_content()

    assert (longest(), "“frog”" in card.locator(".att-takes").first.text_content()) == ("frog", True)
    card.locator(".att-one[role=option]").nth(2).hover()
    assert (longest(), "“owl”" in card.locator(".att-takes").first.text_content()) == ("owl", True)
    card.locator(".att-one[role=option]").nth(0).hover()
    assert "pale" in card.locator(".att-takes").first.text_content()


def test_a_drag_over_the_lines_of_heads_marks_no_text(screen):
    screen.open("/fewer_keys", kv_of_8="2")
    card = screen.see("reads")
    ends = [card.locator(f'[data-name="{name}"]').evaluate(CENTRE) for name in ("query 0", "keys 7")]
    screen.page.mouse.move(*ends[0])
    screen.page.mouse.down()
    screen.page.mouse.move(*ends[1], steps=5)
    screen.page.mouse.up()
    assert screen.page.evaluate("String(getSelection())") == ""


@pytest.mark.parametrize(("wide", "is_above"), [(1301, False), (389, True)])
def test_on_a_phone_the_bars_stand_above_the_heads(screen, wide, is_above):
    """Below the heads, the bars are out of sight while a slider is held."""
    screen.page.set_viewport_size({"width": wide, "height": 907})
    screen.open("/fewer_keys", kv_of_8="2")
    card = screen.see("reads")
    bars, heads = (card.locator(f'[data-name="{name}"]').bounding_box()["y"] for name in ("bar room 1", "query 0"))
    assert (bars < heads) == is_above


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_figure_of_fewer_keys_stays_while_it_is_guessed_and_tried_and_stands_close_to_its_sliders(screen, language):
    """The text beside the sliders had kept a band of 65 pixels free."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    opened = {"kv_sentence": "dog", "asks": "7", "lang": language}
    places = []
    for link in ({"kv_of_8": "8"}, {"kv_of_8": "8", "guess": "shared.one"}, {"kv_of_8": "4", "guess": "shared.one"}):
        screen.open("/fewer_keys", **opened, **link)
        stops = screen.page.locator(".st-key-first-slider .att-stops").first.bounding_box()
        place = screen.page.locator(".att-sharing svg").bounding_box()["y"]
        assert 0 < place - stops["y"] - stops["height"] < 60
        places.append(place)
    assert places == pytest.approx([places[0]] * 3, abs=0.5)
