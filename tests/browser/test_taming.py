"""What a drag of the length of the queries changes is in sight while the slider is held."""

import pytest

from tests.support.browser import PHONE

pytestmark = pytest.mark.browser

ENDS = """(kind) => [...document.querySelectorAll(`[data-figure=remedies] [data-name^='${kind} ']`)]
  .map((one) => one.getBoundingClientRect().bottom)"""
LENGTH = """() => {
  const of = (name) => document.querySelector(`[data-figure=remedies] [data-name="${name}"]`).getBoundingClientRect();
  return [of("query tip").right - of("query line").left, of("trained").left - of("query line").left];
}"""


def test_on_a_phone_scores_weights_and_gradients_of_all_remedies_stand_between_the_slider_and_the_controls(screen):
    """Below the fold a drag would be blind, and scores a screen away from their weights are no cause of them."""
    screen.page.set_viewport_size(PHONE)
    screen.open("/taming", taming_stretch="0.5", taming_cap=5)
    page = screen.page
    bar = page.locator(".st-key-knobs .stSlider").first.bounding_box()["y"]
    slider = page.locator(".st-key-first-slider").bounding_box()
    for press in ("", "ArrowRight", "End"):
        if press:
            screen.changed(lambda press=press: screen.slide("taming_stretch", press))
            screen.settle()
        scores, verdicts, gradients = (page.evaluate(ENDS, kind) for kind in ("zero", "verdict", "slope number"))
        assert len(scores) == len(verdicts) == len(gradients) == 4
        assert slider["y"] + slider["height"] < min(scores)
        columns = zip(scores, verdicts, gradients, strict=True)
        assert all(score < verdict < gradient < bar for score, verdict, gradient in columns)


def test_the_arrow_is_as_long_as_the_query(screen):
    """Long is what it is called: in proportion, and not as the slider, whose steps are factors."""
    for factor in ("0.5", "3", "10"):
        screen.open("/taming", taming_stretch=factor)
        long, trained = screen.page.evaluate(LENGTH)
        assert long / trained == pytest.approx(float(factor), rel=0.03, abs=0.03)
