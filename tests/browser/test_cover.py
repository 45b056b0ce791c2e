"""A question is one line beside its figures, and a guess is one click. In a quiz, the figures with the answer are
covered until the visitor answers or skips: for the eye, the keyboard and a screen reader."""

import pytest

from pages.shell.i18n import say

pytestmark = pytest.mark.browser
ANSWERS = ".st-key-answers-creature"
IS_HIDDEN = f"() => getComputedStyle(document.querySelector('{ANSWERS} .att-plot')).visibility === 'hidden'"


@pytest.mark.slow
def test_a_quiz_covers_answers_and_its_questions_are_skipped(screen):
    screen.open("/", preset="story", quiz=1).unfold()
    screen.see("output", "result")
    figures = screen.page.locator(ANSWERS).get_by_role("application")
    assert screen.page.evaluate(IS_HIDDEN)
    assert figures.count() == 0
    assert screen.page.locator(f"{ANSWERS} .att-card").count() > 1
    # The question comes before the figures that answer it, and nothing above tells the answer.
    above = screen.page.locator(".st-key-pipeline, .att-arcs, .att-told").all_inner_texts()
    assert not any("½" in text for text in above)
    # The keyboard does not reach covered figures either.
    screen.page.locator(f"{ANSWERS} .att-plot").first.evaluate("(plot) => plot.focus()")
    assert screen.page.evaluate(f"!document.activeElement.closest('{ANSWERS}')")
    radio = screen.page.locator(".st-key-quiz-creature")
    radio.get_by_text(say("predict.show"), exact=True).click()
    screen.until(f"() => !({IS_HIDDEN})()")
    assert figures.count() == screen.page.locator(f"{ANSWERS} .att-card").count()
    radio.get_by_text(say("predict.creature.why"), exact=True).wait_for()


@pytest.mark.slow
def test_without_a_quiz_a_question_covers_nothing_and_a_guess_draws_what_it_was_about(screen):
    screen.open("/scaling")
    card = screen.card("shares")
    plot, note = card.locator(".att-plot"), card.locator(".att-note")
    assert plot.evaluate("(plot) => plot.checkVisibility({ visibilityProperty: true })")
    asked = screen.page.locator(".st-key-predict-root")
    stood = note.bounding_box(), asked.bounding_box()
    by_d_k = say("lab.scale.d_k")
    assert not any(by_d_k in said for said in plot.locator("text").all_text_contents())
    asked.get_by_role("button", name=say("predict.root.more")).click()
    screen.until_parameter("guess", "root.more")
    asked.get_by_text(say("predict.root.why")).wait_for()
    asked.get_by_role("button", name=f"✗ {say('predict.root.more')}").wait_for()
    assert any(by_d_k in said for said in plot.locator("text").all_text_contents())
    # The answer takes no more room than the question, which stays under the hand.
    now = note.bounding_box(), asked.bounding_box()
    assert (stood[0]["height"], stood[1]["y"]) == (now[0]["height"], now[1]["y"])
    # A second click takes the guess back.
    asked.get_by_role("button", name=f"✗ {say('predict.root.more')}").click()
    screen.until("() => !new URLSearchParams(location.search).has('guess')")
    assert say("predict.root.why") not in asked.inner_text()
    # A teacher switches the quiz on, to ask first.
    screen.flip("quiz")
    screen.until_parameter("quiz", "true")
    screen.page.locator(".st-key-quiz-root").wait_for()
