"""The film in a real browser: its steps by hand, Escape, the page after it; pictures if reduced motion is wanted."""

import pytest

from pages.shell.layout.menu import NEXT
from pages.shell.views import VIEWS
from tests.support.app import linked

pytestmark = pytest.mark.browser
PARTS = (".att-arc", ".att-tile[data-step=x]", ".att-asking svg", '[data-name="share 3"]', '[data-name="bar 3"]')
STATES = """(parts) => Object.fromEntries(
  parts.map((of) => [of, document.querySelector(of).dataset.film ?? '']))"""
ASKED = "() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/live')).length"


@pytest.mark.slow
def test_the_film_by_hand(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.open()
    [film] = VIEWS["walkthrough.film"].blocks(linked())
    asked = screen.page.evaluate(ASKED)
    screen.page.locator(".att-watch").click()
    for step, said in enumerate(film["steps"], 1):
        screen.until("(said) => document.querySelector('.att-film-line').textContent.endsWith(said)", said)
        states = screen.page.evaluate(STATES, PARTS)
        # Arcs are the answer, so they come only after the question, when the values run along them.
        assert (states[".att-arc"] == "none") == (step < 6)
        assert (states['[data-name="share 3"]'] == "none") == (step < 5)
        assert (states['[data-name="bar 3"]'] == "none") == (step < 3)
        assert (states[".att-asking svg"] == "none") == (step < 7)
        screen.page.keyboard.press(" ")
    screen.until("(said) => document.querySelector('.att-film-line').textContent === said", film["turn"]["asked"])
    assert set(screen.page.evaluate(STATES, PARTS).values()) == {""}
    screen.page.keyboard.press("ArrowLeft")
    screen.until("() => document.querySelector('.att-film-step[aria-current]').textContent === '7'")
    screen.page.keyboard.press("Escape")
    assert screen.page.locator(".att-film-panel").is_hidden()
    assert set(screen.page.evaluate(STATES, PARTS).values()) == {""}
    assert screen.page.evaluate("document.activeElement.className") == "att-watch"
    # No step has asked the server.
    assert screen.page.evaluate(ASKED) == asked


def to_the_turn(screen, size=(1400, 900)):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    screen.open()
    screen.page.locator(".att-watch").click()
    screen.page.locator(".att-film-step").last.click()
    screen.page.keyboard.press("ArrowRight")
    [film] = VIEWS["walkthrough.film"].blocks(linked())
    assert screen.page.locator(".att-film-line").inner_text() == film["turn"]["asked"]
    return film


CHOSEN = "() => document.querySelector('.att-word[aria-selected=true]').textContent"
# Milliseconds: longer than a pointer has to rest.
MEANWHILE = 300


@pytest.mark.slow
def test_the_word_that_is_clicked_at_the_end_is_the_guess_and_the_word_whose_turn_it_is_asks(screen):
    """The film ends with a question, which the reader answers by a click; a bare page would be no ending."""
    film = to_the_turn(screen)
    said, on = screen.page.locator(".att-film-line"), screen.page.locator(".att-film-on")
    tokens, words = linked().run.tokens, screen.page.locator(".att-word")
    assert on.is_hidden()
    # The page is whole again: its title is not under the film's panel.
    bottom = "document.querySelector('.att-film-panel').getBoundingClientRect().bottom"
    title = "document.querySelector('.st-key-title-walkthrough p').getBoundingClientRect().top"
    assert screen.page.evaluate(f"{bottom} <= {title}")
    # Pointing at a word would tell the answer, so now it asks nothing.
    words.nth(tokens.index("hen")).hover()
    screen.page.wait_for_timeout(MEANWHILE)
    assert screen.page.evaluate(CHOSEN) == "brings"
    # At this point, arrow keys move between words, and not through the film.
    screen.page.locator(".att-word[aria-selected=true]").focus()
    screen.page.keyboard.press("ArrowRight")
    assert said.inner_text() == film["turn"]["asked"]
    screen.changed(lambda: words.nth(tokens.index("owl")).click())
    assert said.inner_text() == film["turn"]["said"][tokens.index("owl")]
    assert said.inner_text().startswith("No, 'hen' takes ")
    screen.until(f"() => ({CHOSEN})() === 'hen'")
    assert words.nth(tokens.index("owl")).get_attribute("data-turn") == "guess"
    assert on.inner_text() == film["on"]
    assert on.get_attribute("href") == f"./{NEXT['walkthrough']}"
    assert screen.page.evaluate(f"{bottom} <= {title}")
    # Moving a control closes the film.
    screen.changed(lambda: screen.slide("dropout", "ArrowRight"))
    screen.until("() => document.querySelector('.att-film-panel').hidden")
    assert screen.page.locator("[data-turn]").count() == 0


@pytest.mark.slow
def test_a_guess_is_made_below_a_word_and_by_key_too_and_words_ask_again_afterwards(screen):
    film = to_the_turn(screen)
    said, tokens = screen.page.locator(".att-film-line"), linked().run.tokens
    at = tokens.index("shy")
    screen.changed(lambda: screen.page.locator(f'.att-arcs [data-name="hit {at}"]').click())
    assert said.inner_text() == film["turn"]["said"][at]
    assert said.inner_text().startswith("Right: ")
    screen.until(f"() => ({CHOSEN})() === 'hen'")
    # The next turn asks about another word; Enter chooses the word that has the focus.
    screen.page.locator(".att-film-step").last.focus()
    screen.page.keyboard.press("ArrowRight")
    screen.until("(said) => document.querySelector('.att-film-line').textContent !== said", film["turn"]["said"][at])
    assert said.inner_text().startswith("Your turn: ")
    screen.page.locator(".att-word[aria-selected=true]").focus()
    screen.changed(lambda: screen.page.keyboard.press("Enter"))
    assert not said.inner_text().startswith("Your turn: ")
    # A click after the turn makes the word ask, and closes the film.
    screen.changed(lambda: screen.page.locator(".att-word").nth(tokens.index("owl")).click())
    screen.until("() => document.querySelector('.att-film-panel').hidden")


@pytest.mark.slow
def test_what_moves_is_gone_when_the_film_is(screen):
    link = {"cell": "weights.6.5.word", "head": 2}
    screen.open(**link)
    [film] = VIEWS["walkthrough.film"].blocks(linked(**link))
    line = screen.page.locator('.att-arcs [data-name="line score"]')
    named = line.text_content()
    scores = "() => [...document.querySelectorAll('[data-name^=\"scored \"]')].map((one) => one.textContent)"
    before = screen.page.evaluate(scores)
    screen.page.locator(".att-watch").click()
    moving = "() => document.querySelectorAll('body > [aria-hidden=true][style*=fixed]').length"
    for step in range(1, 8):
        screen.page.locator(".att-film-step").nth(step - 1).click()
        if step == 1:
            # Each part of the products has a step, so that none stays dark before it.
            stray = ".att-products svg [data-name]:not([data-film])"
            assert screen.page.locator(stray).count() == 0
        if step in (1, 2, 5, 6):
            screen.page.wait_for_function(f"() => ({moving})() > 0")
        if step == 3:
            # Before the division, cells show the sums of products.
            screen.page.wait_for_function(f"(before) => String(({scores})()) !== String(before)", arg=before)
            assert line.text_content() == film["score"] != named
        if step == 4:
            assert line.text_content() == named
            # The film stops at a step that the reader has chosen, after its motion.
            screen.page.locator("[data-does=pause]").get_by_text("▶", exact=True).wait_for()
            assert screen.page.locator(".att-film-step[aria-current]").text_content() == "4"
    screen.page.locator("[data-does=pause]").first.click()
    # Choosing another word ends the film.
    screen.page.locator(".att-word").nth(4).click()
    screen.until("() => document.querySelector('.att-film-panel').hidden")
    assert screen.page.evaluate(moving) == 0
    assert screen.page.evaluate("() => document.querySelectorAll('[data-film]').length") == 0
    assert screen.page.evaluate("() => document.querySelector('.att-word[aria-selected=true]').textContent") == "brings"


# For each lane of rows under the words: the number of rows, the count of numbers in each, and the framed words.
ROWS = """() => Object.fromEntries(['x', 'queries', 'keys', 'values'].map((lane) => {
  const rows = [...document.querySelectorAll(`.att-film-rows [data-name^="row ${lane} "]`)];
  const framed = (kind) => rows.flatMap((row, at) => (row.querySelector(`.att-is-${kind}`) ? [at] : []));
  const under = rows.every((row, at) => {
    const [a, b] = [row, document.querySelector(`[data-name="hit ${at}"]`)].map((one) => one.getBoundingClientRect());
    return a.left >= b.left && a.right <= b.right && row.checkVisibility({ visibilityProperty: true });
  });
  return [lane, [rows.length, under, framed('asking'), framed('answering')]];
}))"""


@pytest.mark.parametrize("size", [(1400, 1000), (390, 844)], ids=str)
@pytest.mark.slow
def test_each_word_has_its_row_and_then_a_query_a_key_and_a_value(screen, size):
    """A step that says "every word is a row" must show the rows in the main view to explain anything."""
    screen.page.emulate_media(reduced_motion="reduce")
    screen.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    screen.open()
    shown = linked().run
    count, asks, answers = len(shown.tokens), shown.tokens.index("brings"), shown.tokens.index("fox")
    none, framed = [0, True, [], []], [count, True, [asks], [answers]]
    screen.page.locator(".att-watch").click()
    assert screen.page.evaluate(ROWS) == {"x": framed, "queries": none, "keys": none, "values": none}
    screen.page.keyboard.press("ArrowRight")
    assert screen.page.evaluate(ROWS) == {
        "x": framed,
        "queries": [count, True, [asks], []],
        "keys": [count, True, [], [answers]],
        "values": [count, True, [], [answers]],
    }
    screen.page.keyboard.press("ArrowRight")
    assert screen.page.locator(".att-film-rows").count() == 0
    screen.page.keyboard.press("ArrowLeft")
    screen.page.keyboard.press("Escape")
    assert screen.page.locator(".att-film-rows").count() == 0


# Whether the parts of a step are inside the window, and which other parts are in sight.
BEYOND = """() => {
  const box = (of) => document.querySelector(of).getBoundingClientRect();
  const [above, words, flow] = ['.att-film-panel', '.att-the-words', '.att-flow'].map(box);
  const others = ['.st-key-bar', '.st-key-told-effect', '.st-key-plot-large'].filter((of) => {
    const isSeen = document.querySelector(of).checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return isSeen && box(of).height > 1;
  });
  return [words.top >= above.bottom, flow.bottom <= innerHeight, others];
}"""


@pytest.mark.slow
def test_each_step_happens_in_one_window_and_escape_leads_back(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.page.set_viewport_size({"width": 1280, "height": 720})
    screen.open()
    main = "document.querySelector('[data-testid=stMain]')"
    screen.page.evaluate(f"{main}.scrollTop = 40")
    # A click by Playwright would scroll to the button.
    screen.page.locator(".att-watch").evaluate("(button) => button.click()")
    for step in range(1, 8):
        screen.page.locator(".att-film-step").nth(step - 1).click()
        assert screen.page.evaluate(BEYOND) == [True, True, []], step
    screen.page.keyboard.press("ArrowRight")
    # After the film, the page is whole again.
    assert screen.page.evaluate(BEYOND)[2][:1] == [".st-key-bar"]
    screen.page.keyboard.press("Escape")
    assert screen.page.evaluate(f"{main}.scrollTop") == 40


# The tops of the words, the reasons and the maps.
STAND = """() => ['.att-the-words', '.att-products', '.att-asking', '.att-flow'].map(
  (of) => Math.round(document.querySelector(of).getBoundingClientRect().top))"""


@pytest.mark.slow
def test_where_there_is_room_each_part_keeps_its_place(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open()
    words = screen.page.evaluate(STAND)[0]
    screen.page.locator(".att-watch").click()
    first = screen.page.evaluate(STAND)
    assert first[0] == words
    for _ in range(2, 8):
        screen.page.keyboard.press("ArrowRight")
        assert screen.page.evaluate(STAND) == first
    assert screen.page.evaluate("document.querySelector('.att-flow').getBoundingClientRect().bottom") <= 900
    screen.page.keyboard.press("ArrowRight")
    # After the film, the page is whole again, and the words have not moved.
    assert screen.page.evaluate(STAND)[0] == words
