"""The sentence with arcs, in a real browser: widths, words and columns chosen by hand and key, pointed at, a phone."""

import pytest

from tests.support.app import computed
from tests.support.browser import PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_words_are_chosen_and_arcs_follow",
        "test_what_is_pointed_at_is_shown_until_the_pointer_leaves",
    ),
]
WIDTHS = "(card) => [...card.querySelectorAll('.att-arc')].map((arc) => Number(arc.getAttribute('stroke-width')))"
CHOSEN = "() => document.querySelector('.att-word[aria-selected=true] text').textContent"
ANSWER = "() => document.querySelector('.att-products h4').textContent"
NUMBERED = """async ([at, weights]) => {
  const { apart } = await import('/assets/plot/column_names.js');
  return [...apart(weights, { columns: at.map((middle) => ({ middle, width: 20 })) }, 1, -1)];
}"""


def test_words_are_chosen_and_arcs_follow(screen):
    screen.open(preset="story")
    card = screen.card("arcs")
    weights = computed(preset="story").matrix("weights")
    assert card.evaluate(WIDTHS) == pytest.approx(
        [18 * weight for weight in weights[3].tolist() if weight >= 0.005], 0.01
    )

    screen.changed(lambda: card.locator(".att-word").nth(7).click())
    assert screen.page.evaluate(CHOSEN) == "forest"
    assert screen.parameters["cell"] == "weights.7.6.word"
    assert card.evaluate(WIDTHS) == pytest.approx(
        [18 * weight for weight in weights[7].tolist() if weight >= 0.005], 0.01
    )

    card.locator(".att-word").nth(7).focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        screen.page.keyboard.press(key)
    screen.changed(lambda: screen.page.keyboard.press("Enter"))
    assert screen.page.evaluate(CHOSEN) == "blue"
    # The word that was chosen by key keeps the focus. The next key goes down to the numbers below the word, and from
    # there to those of another word.
    assert screen.page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    for key in ("ArrowDown", "ArrowLeft"):
        screen.page.keyboard.press(key)
    screen.page.keyboard.press("Enter")
    screen.until_parameter("cell", "weights.2.1.result")
    tokens = computed(preset="story").tokens
    screen.until("(word) => document.querySelector('.att-products h4').textContent.includes(word)", tokens[1])

    # Numbers have room: if two words are close to each other, only the larger number is written.
    for at, weights, numbered in (
        ([10, 36, 90, 120], [0.1, 0.2, 0.04, 0.3], [3, 1, 2]),
        ([10, 37], [0.05, 0.05], [0]),
        ([10], [0.0], [0]),
    ):
        assert screen.page.evaluate(NUMBERED, [at, weights])[: len(numbered)] == numbered

    cells = screen.tabulate(card).locator("tbody tr").all_inner_texts()
    assert [line.split()[0] for line in cells] == list(tokens)


@pytest.mark.slow
def test_what_is_pointed_at_is_shown_until_the_pointer_leaves(screen):
    screen.open()
    # Pointing at a word asks the head that answers what the word asks, as a click does.
    weights = computed(head=3).matrix("weights")
    words = screen.card("arcs").locator(".att-word")
    address = screen.page.url
    words.nth(10).hover()
    screen.until(f"() => ({CHOSEN})() === 'hen'")
    assert screen.card("arcs").evaluate(WIDTHS) == pytest.approx(
        [18 * weight for weight in weights[10].tolist() if weight >= 0.005], 0.01
    )
    # The answer names the word's largest weight, and the address stays.
    screen.until(f"() => ({ANSWER})().includes('{computed().tokens[int(weights[10].argmax())]}')")
    assert screen.page.url == address
    screen.page.mouse.move(5, 890)
    screen.until(f"() => ({CHOSEN})() === 'brings'")
    screen.until(f"() => ({ANSWER})().includes('fox')")
    # Pointing changes no control, so no number is told to have changed.
    assert "→" not in screen.page.locator(".att-moved").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("size", [{"width": 1400, "height": 900}, PHONE], ids=str)
def test_words_stay_where_they_are_while_one_points_from_word_to_word(screen, size):
    """A word that moves away under the pointer loses it, comes back, and loses it again."""
    screen.page.set_viewport_size(size)
    screen.open()
    words = screen.page.locator(".att-word")
    top = words.first.bounding_box()["y"]
    note = screen.page.locator(".att-arcs .att-note")
    # The note for "owl" is the longest.
    for word in ("owl", "today"):
        before = note.inner_text()
        words.nth(computed().tokens.index(word)).hover()
        screen.until("(before) => document.querySelector('.att-arcs .att-note').innerText !== before", before)
        assert words.first.bounding_box()["y"] == top


@pytest.mark.slow
@pytest.mark.parametrize("size", [{"width": 1400, "height": 900}, PHONE], ids=str)
def test_the_shown_head_has_its_colour_at_each_word_and_grey_is_said_to_be_the_others(screen, size):
    """Thick grey arcs beside a thin coloured one were taken for those of the shown head."""
    screen.page.set_viewport_size(size)
    screen.open()
    colours = "(of) => [...document.querySelectorAll(of)].map((arc) => getComputedStyle(arc).stroke)"
    [own] = set(screen.page.evaluate(colours, ".att-arcs .att-arc"))
    said = screen.page.locator('.att-arcs [data-name="others"]')
    for place, word in enumerate(computed().tokens):
        if word in ("today", "owl", "hen"):
            screen.changed(lambda place=place: screen.page.locator(".att-word").nth(place).click())
            screen.until("(word) => document.querySelector('.att-word[aria-selected=true]').textContent === word", word)
            assert set(screen.page.evaluate(colours, ".att-arcs .att-arc")) == {own}
            assert own not in screen.page.evaluate(colours, ".att-arcs .att-arc-quiet")
            # The shares of each head stand below the words, where these have room.
            over = screen.page.locator(".att-asking .att-share-word").all_text_contents()
            assert over == ([] if size == PHONE else list(computed().tokens))
            box = said.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size["width"]
    screen.open(heads=1)
    screen.page.locator(".att-arcs .att-arc").first.wait_for(state="attached")
    assert not said.count()


def test_on_a_phone_each_word_stands_once_over_its_own_column(screen):
    """A reader who sees a sentence twice looks for the difference."""
    screen.page.set_viewport_size(PHONE)
    screen.open()
    written = screen.card("arcs").locator("svg text").all_text_contents()
    tokens = computed().tokens
    assert [written.count(token) for token in tokens] == [tokens.count(token) for token in tokens]
    # A tap in a column chooses the word above it.
    at = screen.card("arcs").locator('[data-name="hit 6"]').bounding_box()
    word = screen.card("arcs").locator('[data-name="token 6"]').bounding_box()
    assert abs(at["x"] - word["x"]) < at["width"]
    screen.changed(lambda: screen.page.mouse.click(word["x"] + 5, word["y"] + word["height"] - 5))
    assert screen.page.evaluate(CHOSEN) == "owl"


def test_a_long_sentence_stays_within_a_phone(screen):
    screen.page.set_viewport_size(PHONE)
    screen.open(preset="random", text=" ".join(f"word{index}" for index in range(29)))
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    plot = screen.card("arcs").locator(".att-plot")
    width, seen = plot.evaluate("(plot) => [plot.scrollWidth, plot.clientWidth]")
    assert width <= seen
    menu = screen.card("arcs").locator(".att-more").bounding_box()
    assert menu["x"] + menu["width"] <= PHONE["width"]
    size = plot.evaluate("(plot) => parseFloat(getComputedStyle(plot.querySelector('.att-word text')).fontSize)")
    assert size >= 16
    # All words are there, in as many lines as they need; their columns stand side by side.
    middles = plot.evaluate(
        "(plot) => [...plot.querySelectorAll('.att-hit')].map((one) => one.getBoundingClientRect().left)"
    )
    assert len(middles) == 29
    assert middles == sorted(middles)


def test_a_sentence_is_typed_in_its_place_kept_by_enter_and_left_by_escape(screen):
    screen.open("/", cell="weights.3.1")
    edit, field = screen.page.locator(".att-own-edit"), screen.page.locator(".att-own-field")
    edit.click()
    field.fill("the robot sings")
    # Keys that move a lecture or a figure only edit the text in this field.
    field.press("ArrowLeft")
    field.press("Escape")
    assert not field.is_visible()
    assert screen.parameters == {"cell": "weights.3.1"}
    assert edit.evaluate("(one) => one === document.activeElement")
    edit.click()
    assert field.input_value().startswith("today the old fox")
    field.fill("the cat shows the dog to the bear")
    field.press("Enter")
    screen.until_parameters({"text": "the cat shows the dog to the bear"})
    assert screen.page.locator(".att-arcs .att-word text").all_text_contents() == [
        "the",
        "cat",
        "shows",
        "the",
        "dog",
        "to",
        "the",
        "bear",
    ]
