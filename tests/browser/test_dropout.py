"""The page about dropout in a browser: another draw, another number of draws, and both in the URL."""

import re

import pytest

from pages.shell.state.opens_with import OPENS_WITH
from tests.browser.test_live import hold
from tests.support.browser import PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_next_draw_is_a_link_and_what_is_played_stops_in_one",
        "test_the_less_is_kept_the_wider_it_is_and_it_stays_in_the_picture",
        "test_each_answer_has_a_tick_or_a_cross_a_draw_and_that_of_the_draw_a_frame",
        "test_a_p_of_0_that_is_held_takes_nothing_away_and_stays",
    ),
]
# Of the arcs that a draw leaves, how far the edges of each are above the picture, and how wide the widest is.
_ARCS = """(figure) => {
  const arcs = [...figure.querySelectorAll(".att-the-sky .att-head-arc:not(.att-gone)")];
  const wide = (arc) => Number(arc.getAttribute("stroke-width"));
  return [Math.max(...arcs.map((arc) => wide(arc) / 2 - arc.getBBox().y)), Math.max(...arcs.map(wide))];
}"""
# Of an arc below the words, the widths of the mean and of the frame of the weight around it.
_MEAN = """(figure) => ["mean", "edge"].map((layer) =>
  Number(figure.querySelector(`[data-name="${layer} 0 3"]`).getAttribute("stroke-width")))"""
NEXT = str(int(OPENS_WITH["dropout"]["draw"]) + 1)


def test_the_next_draw_is_a_link_and_what_is_played_stops_in_one(screen):
    screen.open("/dropout", draw=4)
    figure = screen.page.locator(".att-dropping")
    before = figure.locator(".att-told p").text_content()
    figure.locator("[data-does=next]").click()
    screen.until_parameter("draw", "5")
    assert figure.locator(".att-told p").text_content() != before
    figure.locator("[data-does=play]").click()
    # A slow machine skips draws.
    figure.get_by_text(re.compile(r"^(9|[1-5]\d) / 60")).wait_for()
    # What is played is the figure's own: the address has where it stops.
    assert screen.parameters == {"draw": "5"}
    figure.locator("[data-does=play]").click()
    shown = int(figure.locator(".att-count").text_content().split()[0])
    screen.until_parameter("draw", str(shown - 1))
    assert figure.locator(".att-count").text_content() == f"{shown} / 60"


@pytest.mark.slow
def test_the_less_is_kept_the_wider_it_is_and_it_stays_in_the_picture(screen):
    widths = []
    for p in (0.2, 0.5, 0.7, 0.9):
        screen.open("/dropout", dropout=p, draw=3)
        above, wide = screen.page.locator(".att-dropping").evaluate(_ARCS)
        assert above <= 0
        widths.append(wide)
    assert widths == sorted(widths)
    assert widths[-1] > 3 * widths[0]


def test_the_mean_fills_the_frame_of_the_weight(screen):
    screen.open("/dropout", dropout=0.3, draw=8224)
    figure = screen.page.locator(".att-dropping")
    mean, frame = figure.evaluate(_MEAN)
    figure.get_by_text("mean 0.27 · weight 0.95").wait_for()
    assert abs(mean / (frame - 3) - 0.27 / 0.95) < 0.01
    screen.open("/dropout", dropout=0.3, draw=8279)
    mean, frame = figure.evaluate(_MEAN)
    assert 0.95 < mean / (frame - 3) < 1
    words = figure.locator(".att-word").first.bounding_box()
    draw, mean = (
        figure.get_by_text(text, exact=True).bounding_box()["y"] for text in ("Draw 60", "Mean up to draw 60")
    )
    assert draw < words["y"] < words["y"] + words["height"] <= mean


def test_each_answer_has_a_tick_or_a_cross_a_draw_and_that_of_the_draw_a_frame(screen):
    screen.open("/dropout", dropout=0.3, draw=8224)
    figure = screen.page.locator(".att-dropping")
    # who? goes wrong as long as the arc to the fox is cut: from the second of five draws on.
    assert figure.locator("[data-name='wrong 0']").get_attribute("d").count("M") == 2 * 4
    # How draws to come go is not told before they are drawn.
    assert figure.locator("[data-name='right 0']").get_attribute("d").count("M") == 1
    assert figure.locator("[data-name='later 0']").get_attribute("d").count("M") == 60 - 5
    figure.get_by_text("right in 1 of 5 so far", exact=True).wait_for()
    frame = figure.locator("[data-name='draw 0']").bounding_box()
    mark = figure.locator("[data-name='wrong 0']").bounding_box()
    assert mark["x"] < frame["x"] < mark["x"] + mark["width"] < frame["x"] + frame["width"]
    figure.locator("[data-does=next]").click()
    screen.until_parameter("draw", "8225")
    assert figure.locator("[data-name='later 0']").get_attribute("d").count("M") == 60 - 6
    figure.get_by_text("right in 2 of 6 so far", exact=True).wait_for()
    assert figure.locator("[data-name='draw 0']").bounding_box()["x"] > frame["x"]


def test_a_p_of_0_that_is_held_takes_nothing_away_and_stays(screen):
    screen.open("/dropout")
    figure = screen.page.locator(".att-dropping")
    figure.locator(".att-gone").first.wait_for()
    hold(screen, "dropout", 0.0)
    figure.locator(".att-gone").first.wait_for(state="detached")
    screen.page.mouse.up()
    screen.until_parameter("dropout", "0.0")
    screen.settle()
    assert screen.widget("dropout").locator("input[type=range]").input_value() == "0"
    assert figure.locator(".att-gone").count() == 0
    screen.page.reload()
    screen.settle()
    assert screen.parameters["dropout"] == "0.0"
    assert figure.locator(".att-gone").count() == 0


def test_with_reduced_motion_nothing_is_played(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.open("/dropout")
    figure = screen.page.locator(".att-dropping")
    assert not figure.locator("[data-does=play]").is_visible()
    figure.locator("[data-does=next]").click()
    screen.until_parameter("draw", NEXT)
    screen.page.emulate_media(reduced_motion="no-preference")


def test_what_the_frames_are_is_said_where_nothing_else_stands(screen):
    """Nothing told that the black outline is the weight."""
    for size in ({"width": 1400, "height": 900}, PHONE):
        screen.page.set_viewport_size(size)
        screen.open("/dropout")
        figure = screen.page.locator(".att-dropping")
        key = figure.locator("[data-name=key]").bounding_box()
        assert "outline" in figure.locator("[data-name=key]").text_content()
        others = figure.locator(".att-arc-name, .att-side").evaluate_all(
            "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
        )
        assert others
        for box in others:
            apart = key["x"] + key["width"] <= box["left"] or box["right"] <= key["x"]
            assert apart or key["y"] + key["height"] <= box["top"] or box["bottom"] <= key["y"]


def test_the_next_draw_is_another_mask_in_the_matrices_too(screen):
    screen.open("/dropout")
    assert screen.parameters == dict(OPENS_WITH["dropout"])
    before = screen.numbers(screen.see("dropped"))
    screen.changed(lambda: screen.page.locator(".att-dropping [data-does=next]").click())
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


def test_a_thin_arc_that_is_dropped_has_no_cross_which_would_stand_on_its_neighbour(screen):
    """The second head takes 0.21 from the owl, from which the fourth takes 1.00."""
    screen.open("/dropout")
    figure = screen.page.locator(".att-dropping")
    assert figure.locator(".att-the-sky .att-gone").count() == 3
    struck = figure.locator(".att-strike").evaluate_all("(all) => all.map((one) => one.dataset.name)")
    assert struck == ["strike 0 3", "strike 2 10"]
