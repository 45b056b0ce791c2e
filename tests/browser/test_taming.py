"""While the slider of the query's length is held, all that it changes is in sight."""

from itertools import pairwise

import pytest

from tests.support.browser import DESKTOP, PHONE

pytestmark = pytest.mark.browser

# The boxes of a figure's elements whose names begin with a kind.
BOXES = """([figure, kind]) => [...document.querySelectorAll(`[data-figure=${figure}] [data-name^='${kind} ']`)]
  .map((one) => one.getBoundingClientRect()).map(({ x, y, width, bottom }) => ({ x, y, width, bottom }))"""
LENGTH = """() => {
  const of = (name) => document.querySelector(`[data-figure=remedies] [data-name="${name}"]`).getBoundingClientRect();
  return of("query tip").right - of("query line").left;
}"""
# Whether a line of the largest weights crosses the words below the strip at the top.
CUTS = """() => {
  const figure = document.querySelector("[data-figure=remedies-lengths]");
  const words = [...figure.querySelectorAll("[data-name^='over said ']")].map((one) => one.getBBox());
  return [...figure.querySelectorAll("[data-name^='line ']")].some((line) => {
    const points = Array.from({ length: 400 }, (_, at) => line.getPointAtLength((at / 399) * line.getTotalLength()));
    return points.some(({ x, y }) =>
      words.some((box) => x > box.x && x < box.x + box.width && y > box.y + 3 && y < box.y + box.height - 3));
  });
}"""
# The sharpest turn of each line within about three pixels, in radians.
TURNS = """() => [...document.querySelectorAll("[data-figure=remedies-lengths] [data-name^='line ']")].map((line) => {
  const points = Array.from({ length: 400 }, (_, at) => line.getPointAtLength((at / 399) * line.getTotalLength()));
  const ways = points.slice(1).map(({ x, y }, at) => Math.atan2(y - points[at].y, x - points[at].x));
  return Math.max(...ways.slice(1).map((way, at) => Math.abs(way - ways[at])));
})"""
# For each remedy: the middle and the size of its dot, and the beginning of the line from the dot to its name.
DOTS = """() => [0, 1, 2, 3].map((at) => {
  const of = (name) => document.querySelector(`[data-figure=remedies-lengths] [data-name="${name} ${at}"]`);
  const number = (name, what) => Number(of(name).getAttribute(what));
  return { middle: ["cx", "cy"].map((one) => number("dot", one)), size: number("dot", "r"),
    begins: ["x1", "y1"].map((one) => number("lead", one)) };
})"""
# For each column: the share of its frame that the remaining gradient fills, and the number beside it.
SLOPES = """() => [0, 1, 2, 3].map((at) => {
  const of = (name) => document.querySelector(`[data-figure=remedies] [data-name="${name} ${at}"]`);
  const [bar, room] = ["slope", "slope room"].map((name) => of(name).width.baseVal.value);
  return [bar / room, Number(of("slope number").textContent)];
})"""


def boxes(page, figure: str, kind: str) -> list[dict[str, float]]:
    found: list[dict[str, float]] = page.evaluate(BOXES, [figure, kind])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE, {"width": 811, "height": 977}], ids=str)
def test_the_dots_stand_under_the_thumb_and_their_names_apart(screen, size):
    """The slider is the axis of the lines, so a dot beside its thumb would be about another length."""
    screen.page.set_viewport_size(size)
    for factor in ("0.03", "0.3", "10"):
        screen.open("/taming", taming_stretch=factor, taming_cap=5)
        # The number above a thumb shifts at the ends of the track, so the thumb itself is measured.
        thumb = screen.widget("taming_stretch").locator("input").locator("xpath=../..").bounding_box()
        dots = boxes(screen.page, "remedies-lengths", "dot")
        assert len(dots) == 4
        assert all(abs(dot["x"] + dot["width"] / 2 - thumb["x"] - thumb["width"] / 2) < 2 for dot in dots)
        # Names stay apart, although some lines end in one place.
        names = sorted(boxes(screen.page, "remedies-lengths", "name"), key=lambda one: one["y"])
        assert all(above["bottom"] <= below["y"] + 4 for above, below in pairwise(names))
        assert all(0 < name["x"] and name["x"] + name["width"] <= size["width"] for name in names)
        # No name stands on the strip at the top, where one word has all: the strip is lower than a name is high.
        strip = screen.page.locator("[data-figure=remedies-lengths] [data-name=over]").bounding_box()
        assert all(strip["y"] + strip["height"] < (name["y"] + name["bottom"]) / 2 - 5 for name in names)
    # At the end of the slider, lines and names are as wide as the columns below, whose last base ends there.
    if size == DESKTOP:
        last = max(one["x"] + one["width"] for one in boxes(screen.page, "remedies", "base"))
        assert max(name["x"] + name["width"] for name in names) == pytest.approx(last, abs=30)


def test_on_a_phone_lines_weights_and_verdicts_stand_between_the_slider_and_the_controls(screen):
    """The effect of a drag would be below the fold."""
    screen.page.set_viewport_size(PHONE)
    screen.open("/taming", taming_stretch="0.3", taming_cap=5)
    page = screen.page
    bar = page.locator(".st-key-bar").bounding_box()["y"]
    slider = page.locator(".st-key-length input").bounding_box()["y"]
    for press in ("", "ArrowRight", "End"):
        if press:
            screen.changed(lambda press=press: screen.slide("taming_stretch", press))
            screen.settle()
        lines, words, verdicts = (
            boxes(page, *of) for of in (("remedies-lengths", "line"), ("remedies", "base"), ("remedies", "verdict"))
        )
        assert len(lines) == len(words) == len(verdicts) == 4
        slopes = boxes(page, "remedies", "slope number")
        assert len(slopes) == 4
        assert max(one["bottom"] for one in slopes) < bar
        assert slider < min(line["y"] for line in lines)
        assert max(line["bottom"] for line in lines) < min(word["y"] for word in words)
        assert all(
            word["y"] < verdict["y"] and verdict["bottom"] < bar for word, verdict in zip(words, verdicts, strict=True)
        )


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_no_stop_of_the_slider_moves_what_is_below_it(screen, size):
    """A sentence of two lines after one of one line would push the bars away under the finger."""
    screen.page.set_viewport_size(size)
    screen.open("/taming", taming_stretch="0.3", taming_cap=5)
    stood = set()
    for press in ("", *["ArrowRight"] * 6, "End"):
        if press:
            screen.changed(lambda press=press: screen.slide("taming_stretch", press))
            screen.settle()
        stood.add(tuple(round(one["y"]) for one in boxes(screen.page, "remedies", "base")))
    assert len(stood) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("size", "lang"), [(DESKTOP, "en"), (PHONE, "en"), (PHONE, "zh")], ids=str)
def test_no_line_goes_through_the_name_of_the_place_at_the_top(screen, size, lang):
    """On a phone, the line that rises first once cut through the name."""
    screen.page.set_viewport_size(size)
    screen.open("/taming", taming_stretch="10", taming_cap=5, lang=lang)
    assert not screen.page.evaluate(CUTS)


def test_no_line_has_a_corner_and_a_name_belongs_to_its_own_dot(screen):
    """Where two dots coincide, one hid the other, and a name led to another remedy's dot."""
    screen.open("/taming", taming_stretch="10", taming_cap=5)
    assert max(screen.page.evaluate(TURNS)) < 0.05
    untamed, scaled, capped, _ = screen.page.evaluate(DOTS)
    assert untamed["middle"] == pytest.approx(scaled["middle"], abs=0.1)
    assert untamed["size"] > scaled["size"] == capped["size"]
    assert all(one["begins"] == one["middle"] for one in (untamed, scaled, capped))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_a_ring_that_is_guessed_is_judged_where_the_drag_ends(screen, size):
    screen.page.set_viewport_size(size)
    screen.open("/taming")
    rings = screen.page.locator("[data-figure=remedies-lengths] .att-guess-ring")
    rings.nth(2).wait_for()
    # The rings are large enough for a finger, and inside the page.
    boxes_of = [rings.nth(at).bounding_box() for at in range(3)]
    assert all(min(one["width"], one["height"]) > 30 and one["x"] + one["width"] <= size["width"] for one in boxes_of)
    rings.nth(0).locator(".att-hit").click() if size == PHONE else rings.nth(0).press("Enter")
    screen.until_parameter("guess", "capped.up")
    screen.page.locator(".att-guess-ring.att-guessed").wait_for()
    screen.slide("taming_stretch", "End")
    screen.page.get_by_text("No. High scores pile up at the cap").wait_for()
    screen.page.locator("[data-figure=remedies-lengths]").get_by_text("✗ your guess").wait_for()
    assert rings.count() == 1
    # A second press takes the guess back.
    rings.first.press("Enter")
    screen.page.get_by_text("QK-norm alone holds, at a price").wait_for()
    rings.first.wait_for(state="detached")


@pytest.mark.slow
def test_the_gradient_that_is_left_fills_its_frame_as_far_as_its_number_says(screen):
    """The gradient left explains why one word with all is bad. The frame is the steepest slope, one quarter."""
    for factor in ("0.3", "1"):
        screen.open("/taming", taming_stretch=factor, taming_cap=5)
        for share, written in screen.page.evaluate(SLOPES):
            assert share == pytest.approx(written / 0.25, abs=0.025)


@pytest.mark.slow
def test_the_arrow_is_as_long_as_the_query(screen):
    """The arrow is proportional to the query's length, although the slider's steps are factors."""
    long = {}
    for factor in ("0.5", "3", "10"):
        screen.open("/taming", taming_stretch=factor)
        long[factor] = screen.page.evaluate(LENGTH)
    assert long["3"] / long["0.5"] == pytest.approx(6, rel=0.03)
    assert long["10"] / long["3"] == pytest.approx(10 / 3, rel=0.03)
