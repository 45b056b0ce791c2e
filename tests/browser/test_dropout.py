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
        "test_the_arcs_have_room_at_their_word_whatever_p_is",
        "test_each_answer_has_a_tick_or_a_cross_a_draw_and_that_of_the_draw_a_frame",
        "test_a_p_of_0_that_is_held_takes_nothing_away_and_stays",
        "test_an_answer_that_several_arcs_are_for_stands_once_at_its_word",
        "test_a_word_that_asks_nothing_offers_the_verb",
        "test_below_the_answers_stands_one_of_them_in_the_other_layer_and_no_words_meet",
        "test_a_guess_moves_nothing_below_it_and_shows_all_draws_that_judge_it",
        "test_a_click_on_the_row_of_the_other_layer_shows_its_arcs_and_every_row_stays_in_its_place",
        "test_a_link_shows_the_layer_in_which_one_of_two_arcs_is_not_enough",
    ),
]
# How far the edges of the draw's kept arcs reach above the picture, and the width of the widest arc.
_ARCS = """(figure) => {
  const arcs = [...figure.querySelectorAll(".att-the-sky .att-head-arc:not(.att-gone)")];
  const wide = (arc) => Number(arc.getAttribute("stroke-width"));
  return [Math.max(...arcs.map((arc) => wide(arc) / 2 - arc.getBBox().y)), Math.max(...arcs.map(wide))];
}"""
# The right edges of the feet of the draw's kept arcs, at the word that asks.
_FEET = """(figure) => [...figure.querySelectorAll(".att-the-sky .att-head-arc:not(.att-gone)")].map((arc) => {
  const { x } = arc.getPointAtLength(0);
  return arc.ownerSVGElement.getBoundingClientRect().x + x + Number(arc.getAttribute("stroke-width")) / 2;
})"""
NEXT = str(int(OPENS_WITH["dropout"]["draw"]) + 1)


@pytest.mark.slow
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
    # While it plays, only the figure changes; the address follows when the player stops.
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
    assert widths[1] > 1.5 * widths[0]
    # From some width on, arcs would have no room at their word, so they stop growing; a text says how much they count.
    assert abs(widths[-1] - widths[-2]) < 0.1
    screen.page.locator(".att-prose").get_by_text("counts 10 times").wait_for()


@pytest.mark.parametrize("size", [{"width": 1400, "height": 900}, PHONE], ids=["desktop", "phone"])
def test_the_arcs_have_room_at_their_word_whatever_p_is(screen, size):
    """With p = 0.9, the arcs' feet stood on the next word; on a phone, where words are slanted, on the one after it."""
    screen.page.set_viewport_size(size)
    screen.open("/dropout", dropout=0.9, draw=6785, trained_p=0.3)
    figure = screen.page.locator(".att-dropping")
    figure.locator(".att-head-arc:not(.att-gone)").first.wait_for()
    feet = figure.evaluate(_FEET)
    next_word = figure.locator("[data-name='token 5']").bounding_box()
    leans = next_word["width"] if size == PHONE else 0
    assert 0 < max(feet) < next_word["x"] + leans


def test_each_answer_has_a_tick_or_a_cross_a_draw_and_that_of_the_draw_a_frame(screen):
    screen.open("/dropout", dropout=0.3, draw=6784, trained_p=0.3)
    figure = screen.page.locator(".att-dropping")
    # The answer to who? is wrong when the arc to the fox is cut: in the second and the fifth of five draws.
    assert figure.locator("[data-name='wrong 0']").get_attribute("d").count("M") == 2 * 2
    # The results of later draws are not shown before they are drawn.
    assert figure.locator("[data-name='right 0']").get_attribute("d").count("M") == 3
    assert figure.locator("[data-name='later 0']").get_attribute("d").count("M") == 60 - 5
    said = figure.locator("[data-name='counted 0']")
    said.and_(screen.page.get_by_text("right in 3 of 5", exact=True)).wait_for()
    frame = figure.locator("[data-name='draw 0']").bounding_box()
    mark = figure.locator("[data-name='wrong 0']").bounding_box()
    assert mark["x"] < frame["x"] < mark["x"] + mark["width"] < frame["x"] + frame["width"]
    figure.locator("[data-does=next]").click()
    screen.until_parameter("draw", "6785")
    assert figure.locator("[data-name='later 0']").get_attribute("d").count("M") == 60 - 6
    said.and_(screen.page.get_by_text("right in 3 of 6", exact=True)).wait_for()
    assert figure.locator("[data-name='draw 0']").bounding_box()["x"] > frame["x"]


def names(figure) -> list[str]:
    return sorted(figure.locator(".att-arc-name:not(.att-counts)").all_text_contents())


def test_an_answer_that_several_arcs_are_for_stands_once_at_its_word(screen):
    screen.open("/dropout")
    figure = screen.page.locator(".att-dropping")
    assert names(figure) == ["to whom? right", "who? wrong", "whom? right"]
    figure.get_by_text("Draw 5: 2 of 4 wide arcs cut; 2 of 3 answers right.").wait_for()


def test_a_held_slider_moves_nothing_below_the_arcs(screen):
    screen.open("/dropout")
    below = screen.page.locator("[data-view='dropout.why']")
    figure = screen.page.locator(".att-dropping")
    # The text stands at a kept arc, and not on one.
    said = figure.get_by_text("each arc left counts 1.43 times", exact=True)
    said.wait_for()
    arc = figure.locator("[data-name='arc 1 10']").bounding_box()
    place = said.bounding_box()
    assert arc["y"] < place["y"] < arc["y"] + 60
    before = below.bounding_box()
    hold(screen, "dropout", 0.5)
    figure.get_by_text("each arc left counts 1.82 times", exact=True).wait_for()
    screen.page.get_by_text("Here its arcs are cut with p = 0.45.").wait_for()
    assert below.bounding_box() == before
    screen.page.mouse.up()


def test_a_link_shows_the_layer_in_which_one_of_two_arcs_is_not_enough(screen):
    screen.open("/dropout", draw=6784, trained_p=0)
    figure = screen.page.locator(".att-dropping")
    figure.get_by_text("to whom? wrong", exact=True).wait_for()
    # One of the two arcs is cut. An answer whose own arc is cut is right thanks to the other arcs.
    assert figure.locator(".att-the-sky .att-gone[data-to='10']").count() == 1
    figure.get_by_text("who? right by luck", exact=True).wait_for()
    # Texts explain both in their place: why the arc that is left does not help, and what a ring means.
    under = figure.get_by_text("this arc alone is not enough", exact=True).bounding_box()
    arc = figure.locator(".att-the-sky .att-head-arc:not(.att-gone)[data-to='10']").bounding_box()
    assert arc["y"] < under["y"] < arc["y"] + 60
    figure.locator("[data-name='counted 0']").get_by_text(", ○ +1 by luck, arcs cut").wait_for()
    screen.page.get_by_text("“to whom?” has 2 arcs, but one alone may not be enough").wait_for()
    screen.page.get_by_text("This layer learned without dropout. Here its arcs are cut with p = 0.30.").wait_for()


def test_the_same_arc_that_is_too_little_at_a_small_p_is_enough_where_it_counts_twice(screen):
    """The cross of a draw became a tick at a larger p, and nothing said why."""
    figure = screen.page.locator(".att-dropping")
    for p, verdict, said in (
        (0.3, "wrong", "this arc alone is not enough"),
        (0.5, "right", "counted twice, this arc alone is enough"),
    ):
        screen.open("/dropout", dropout=p, draw=2044, trained_p=0)
        figure.get_by_text(f"to whom? {verdict}", exact=True).wait_for()
        figure.get_by_text(said, exact=True).wait_for()
        assert figure.locator(".att-the-sky .att-gone[data-to='10']").count() == 1


@pytest.mark.parametrize("size", [{"width": 1400, "height": 900}, PHONE], ids=["desktop", "phone"])
def test_below_the_answers_stands_one_of_them_in_the_other_layer_and_no_words_meet(screen, size):
    screen.page.set_viewport_size(size)
    screen.open("/dropout", draw=6784, trained_p=0)
    figure = screen.page.locator(".att-dropping")
    # This name is the longest; on a phone it has a line of its own.
    name = figure.get_by_text("to whom? learned with dropout, p = 0.3", exact=True)
    name.wait_for()
    count = figure.locator("[data-name='counted 3']")
    assert count.text_content() == "right in 5 of 5"
    assert figure.locator("[data-name='wrong 3']").get_attribute("d") == ""
    named, counted = name.bounding_box(), count.bounding_box()
    apart = named["x"] + named["width"] < counted["x"] or named["y"] + named["height"] <= counted["y"] + 2
    assert apart
    assert counted["x"] + counted["width"] <= size["width"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [{"width": 1400, "height": 900}, PHONE], ids=["desktop", "phone"])
def test_a_guess_moves_nothing_below_it_and_shows_all_draws_that_judge_it(screen, size):
    """The verdict pushed the page down by a line, and came before anything was played."""
    screen.page.set_viewport_size(size)
    screen.open("/dropout", draw=2096, trained_p=0.3)
    guess, chart = (screen.page.locator(one) for one in (".st-key-predict-two_arcs", "[data-view='dropout.why']"))
    below = "([guess, why]) => Math.round(why.getBoundingClientRect().y - guess.getBoundingClientRect().y)"

    def distance() -> float:
        return screen.page.evaluate(below, [guess.element_handle(), chart.element_handle()])

    chart.get_by_text("Why cut arcs?").wait_for()
    guess.get_by_role("button", name="in a quarter of them").wait_for()
    before = distance()
    guess.get_by_role("button", name="in a quarter of them").click()
    guess.get_by_text("In these draws with p = 0.5 it fell in 15 of 60: 25%.").wait_for()
    screen.until_parameter("draw", "2099")
    assert screen.parameters["dropout"] == "0.5"
    screen.page.locator(".att-dropping [data-name='counted 2']").get_by_text("right in 45 of 60", exact=True).wait_for()
    assert guess.locator("[data-verdict=right]").text_content() == "✓ in a quarter of them"
    assert distance() == before


@pytest.mark.parametrize("by", ["click", "key"])
def test_a_click_on_the_row_of_the_other_layer_shows_its_arcs_and_every_row_stays_in_its_place(screen, by):
    """The other layer's answer was called wrong below the arcs of this layer, and nobody could see why."""
    screen.open("/dropout")
    figure = screen.page.locator(".att-dropping")
    figure.get_by_text("to whom? right", exact=True).wait_for()
    rows = [figure.locator(".att-line-layer").filter(has_text=f"learned {one}") for one in ("with d", "without d")]
    before = [row.locator("[data-name^=asked]").bounding_box()["y"] for row in rows]

    def pressed() -> list[str | None]:
        return [row.get_attribute("aria-pressed") for row in rows]

    assert pressed() == ["true", "false"]
    rows[1].focus()
    rows[1].press("Enter") if by == "key" else rows[1].locator(".att-hit").click()
    screen.until_parameter("trained_p", "0")
    figure.get_by_text("to whom? wrong", exact=True).wait_for()
    screen.page.get_by_text("This layer learned without dropout.").wait_for()
    # Both layers have the same arcs cut.
    assert screen.parameters["draw"] == OPENS_WITH["dropout"]["draw"]
    assert pressed() == ["false", "true"]
    assert [row.locator("[data-name^=asked]").bounding_box()["y"] for row in rows] == before


def test_the_first_screen_has_the_reason(screen):
    """The reason was cut in the middle by the lower edge of the window."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open("/dropout")
    told = screen.page.locator("[data-view='dropout.why'] .att-prose")
    told.wait_for()
    box = told.bounding_box()
    assert box["y"] + box["height"] <= 900


@pytest.mark.slow
def test_a_word_that_asks_nothing_offers_the_verb(screen):
    screen.open("/dropout", draw=6784, trained_p=0.3, cell="weights.0.0.arcs")
    screen.page.get_by_text("'today' asks nothing, so no answer can fall.").wait_for()
    screen.page.get_by_role("button", name="Look at 'brings', which asks 3").wait_for()
    screen.page.locator(".att-dropping [data-name='token 3']").click()
    screen.page.get_by_text(re.compile(r"wide arcs cut; the answer is right\.$")).wait_for()
    screen.page.get_by_role("button", name="Look at 'brings', which asks 3").click()
    screen.page.locator(".att-dropping").get_by_text("who? wrong", exact=True).wait_for()
    screen.until_parameter("cell", "weights.4.0.arcs")


@pytest.mark.slow
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
    """The second head takes 0.21 from the owl, the fourth 1.00: the thin arc's cross would stand on the wide one."""
    screen.open("/dropout", draw=8224)
    figure = screen.page.locator(".att-dropping")
    assert figure.locator(".att-the-sky .att-gone").count() == 3
    struck = figure.locator(".att-strike").evaluate_all("(all) => all.map((one) => one.dataset.name)")
    assert struck == ["strike 0 3", "strike 2 10"]
