"""A question is one line above its figures, and a guess one click, in the picture, too. In a quiz what answers it is
covered until one answers or skips it: for the eye, the keyboard and a screen reader."""

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


def test_without_a_quiz_a_question_is_one_line_and_covers_nothing(screen):
    screen.open("/scaling")
    question = screen.page.locator(".st-key-predict-factor")
    plot = screen.card("variance").locator(".att-plot")
    assert plot.evaluate("(plot) => plot.checkVisibility({ visibilityProperty: true })")
    line, figure = question.bounding_box(), plot.bounding_box()
    assert line["height"] < 48
    # Below the figure that answers it, which follows its slider.
    assert figure["y"] + figure["height"] <= line["y"]
    # A guess is made in the picture, and the right answer stands next to it, and in the line below.
    in_picture = plot.locator(".att-answer text")
    in_picture.get_by_text(say("predict.factor.two"), exact=True).click()
    question.get_by_text(say("predict.factor.why")).wait_for()
    screen.until_parameter("guess", "factor.two")
    in_picture.get_by_text(f"✓ {say('predict.factor.four')}").wait_for()
    assert plot.is_visible()
    # By key it is taken back: from the buttons of the line.
    question.get_by_role("button", name=say("predict.factor.two")).press("Enter")
    question.get_by_text(say("predict.factor.why")).wait_for(state="detached")
    in_picture.get_by_text(say("predict.factor.same"), exact=True).wait_for()
    # Who teaches asks first.
    screen.flip("quiz")
    screen.until_parameter("quiz", "true")
    screen.page.locator(".st-key-quiz-factor").wait_for()
