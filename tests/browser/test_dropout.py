"""The page about dropout in a browser: another draw, another number of draws, and both in the URL."""

import re

import pytest

from pages.shell.state.opens_with import OPENS_WITH

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_next_draw_is_a_link_and_what_is_played_stops_in_one",
        "test_where_few_weights_are_kept_their_arcs_stay_in_the_picture",
    ),
]
# Of the arcs of a draw, how far the edges of each are above the picture, and how wide the widest is.
_ARCS = """(figure) => {
  const arcs = [...figure.querySelectorAll(".att-draw:not(.att-gone)")];
  const wide = (arc) => Number(arc.getAttribute("stroke-width"));
  return [Math.max(...arcs.map((arc) => wide(arc) / 2 - arc.getBBox().y)), Math.max(...arcs.map(wide))];
}"""
NEXT = str(int(OPENS_WITH["dropout"]["draw"]) + 1)


def test_the_next_draw_is_a_link_and_what_is_played_stops_in_one(screen):
    screen.open("/dropout", draw=4)
    figure = screen.page.locator(".att-dropping")
    before = figure.locator(".att-mean").text_content()
    figure.locator("[data-does=next]").click()
    screen.until_parameter("draw", "5")
    assert figure.locator(".att-mean").text_content() != before
    figure.locator("[data-does=play]").click()
    # A slow machine skips draws.
    figure.get_by_text(re.compile(r"^(9|[1-5]\d) / 60")).wait_for()
    # What is played is the figure's own: the address has where it stops.
    assert screen.parameters == {"draw": "5"}
    figure.locator("[data-does=play]").click()
    shown = int(figure.locator(".att-count").text_content().split()[0])
    screen.until_parameter("draw", str(shown - 1))
    assert figure.locator(".att-count").text_content() == f"{shown} / 60"


def test_where_few_weights_are_kept_their_arcs_stay_in_the_picture(screen):
    screen.open("/dropout", dropout=0.7, draw=0, heads=4)
    above, wide = screen.page.locator(".att-dropping").evaluate(_ARCS)
    assert above <= 0
    assert wide > 20
    levels = screen.page.locator(".att-dropping .att-dot").first.evaluate("(dot) => dot.cy.baseVal.value")
    kept = screen.page.locator(".att-dropping").get_by_text("kept, ÷ 0.3: 3.17")
    assert abs(float(kept.get_attribute("y")) - 5 - levels) < 1


def test_with_reduced_motion_nothing_is_played(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.open("/dropout")
    figure = screen.page.locator(".att-dropping")
    assert not figure.locator("[data-does=play]").is_visible()
    figure.locator("[data-does=next]").click()
    screen.until_parameter("draw", NEXT)
    screen.page.emulate_media(reduced_motion="no-preference")


def test_draw_again_writes_the_url_and_draws_another_mask(screen):
    screen.open("/dropout")
    assert screen.parameters == dict(OPENS_WITH["dropout"])
    before = screen.numbers(screen.see("dropped"))
    screen.changed(lambda: screen.press("die"))
    screen.until_parameter("draw", NEXT)
    after = screen.numbers(screen.see("dropped"))
    assert (before[before == before] != after[after == after]).any()
    screen.page.reload()
    screen.settle()
    again = screen.numbers(screen.see("dropped"))
    assert (again[again == again] == after[after == after]).all()


@pytest.mark.exhaustive("browser/test_links.py::test_a_link_is_shown_by_every_widget_and_kept_in_the_url")
def test_the_number_of_draws_is_a_link(screen):
    screen.open("/dropout", draws=100, draw=3, dropout=0.5)
    assert screen.parameters == {"draws": "100", "draw": "3", "dropout": "0.5"}
    screen.see("mean")
    screen.slide("draws", "ArrowRight")
    screen.until_parameter("draws", "300")
    screen.page.locator(".att-card[data-figure=mean]").get_by_text("300 draws").first.wait_for()
    assert screen.widget("draw").locator("input").input_value() == "3"


def test_a_click_on_a_mode_chooses_it(screen):
    screen.open("/dropout")
    screen.see("dropped")
    screen.see("output", "modes")
    inference = screen.page.locator(".st-key-plot-modes .att-card").nth(1)
    screen.until("(card) => card.dataset.drawn === card.dataset.stamp", inference.element_handle())
    screen.click(inference, 3, 0)
    screen.until_parameter("mode", "inference")
    screen.see("weights", "one_draw")
    assert screen.page.locator(".att-card[data-figure=dropped]").count() == 0
