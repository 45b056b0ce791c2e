"""What answers a question is covered until one answers or skips it: for the eye, the keyboard and a screen reader."""

import pytest

from pages.shell.i18n import say

pytestmark = pytest.mark.browser
ANSWERS = ".st-key-answers-creature"
IS_HIDDEN = f"() => getComputedStyle(document.querySelector('{ANSWERS} .att-plot')).visibility === 'hidden'"


def test_answers_are_covered_and_questions_skipped(screen):
    screen.open("/", preset="story").unfold()
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
    radio = screen.page.locator(".st-key-predict-creature")
    radio.get_by_text(say("predict.show"), exact=True).click()
    screen.until(f"() => !({IS_HIDDEN})()")
    assert figures.count() == screen.page.locator(f"{ANSWERS} .att-card").count()
    radio.get_by_text(say("predict.creature.why"), exact=True).wait_for()
