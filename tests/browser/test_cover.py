"""A question is one line above its figures, or stands in the picture, and a guess is one click. In a quiz what answers
it is covered until one answers or skips it: for the eye, the keyboard and a screen reader."""

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
    # The question comes before what answers it, and nothing above tells what comes out.
    above = screen.page.locator(".st-key-pipeline, .att-arcs, .att-told").all_inner_texts()
    assert not any("½" in text for text in above)
    # Neither does the keyboard reach what is covered.
    screen.page.locator(f"{ANSWERS} .att-plot").first.evaluate("(plot) => plot.focus()")
    assert screen.page.evaluate(f"!document.activeElement.closest('{ANSWERS}')")
    radio = screen.page.locator(".st-key-quiz-creature")
    radio.get_by_text(say("predict.show"), exact=True).click()
    screen.until(f"() => !({IS_HIDDEN})()")
    assert figures.count() == screen.page.locator(f"{ANSWERS} .att-card").count()
    radio.get_by_text(say("predict.creature.why"), exact=True).wait_for()


@pytest.mark.slow
def test_without_a_quiz_a_question_covers_nothing_and_a_picture_that_asks_is_answered_there(screen):
    screen.open("/scaling")
    card = screen.card("variance")
    plot, note = card.locator(".att-plot"), card.locator(".att-note")
    assert plot.evaluate("(plot) => plot.checkVisibility({ visibilityProperty: true })")
    # In one place: no line of buttons asks the same.
    assert screen.page.get_by_role("button", name=say("predict.factor.two")).count() == 1
    asked = say("lab.variance.asked", low=64, high=256)
    answer = plot.get_by_role("button", name=f"{asked} {say('predict.factor.two')}")
    answer.locator("text").click()
    screen.until_parameter("guess", "factor.two")
    note.get_by_text(say("predict.factor.why")).wait_for()
    plot.get_by_role("button", name=f"✓ {say('predict.factor.four')}").wait_for()
    # What is right is said to who hears it, and the answer keeps the keys: one takes it back.
    assert say("predict.wrong") in screen.page.locator(".att-said").inner_text()
    plot.locator(".att-answer[data-verdict=wrong]").press("Enter")
    plot.get_by_role("button", name=say("predict.factor.same")).wait_for()
    assert say("predict.factor.why") not in note.inner_text()
    assert screen.page.evaluate("document.activeElement.closest('.att-answer') !== null")
    # Who teaches asks first.
    screen.flip("quiz")
    screen.until_parameter("quiz", "true")
    screen.page.locator(".st-key-quiz-factor").wait_for()
