"""A question of What if: the arcs after the change come with a guess, from where they were."""

import pytest

from pages.shell.i18n import say
from pages.shell.state.page_controls import EXPERIMENTS

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_arcs_come_with_a_guess_from_where_they_were_and_nothing_above_them_moves",
        "test_on_a_phone_the_answer_comes_into_sight",
        "test_both_sentences_the_answer_and_the_way_on_are_on_one_screen",
    ),
]

# The sentence after the change: its number of arcs and of dashed ones that have left, the text at its question mark,
# the paths of running animations, and its top edge.
AFTER = """() => {
  const figure = document.querySelector("[data-figure='after-arcs']");
  // Where arcs were is a dashed line.
  const arcs = [...figure.querySelectorAll(".att-head-arc:not(.att-lane-was *)")];
  const running = arcs.flatMap((arc) => arc.getAnimations());
  return {
    arcs: arcs.length,
    left: figure.querySelectorAll(".att-lane-was .att-head-arc").length,
    question: figure.querySelector(".att-lane-question")?.textContent ?? "",
    running: running.map((one) => one.effect.getKeyframes().map(({ d }) => d)),
    top: figure.getBoundingClientRect().top,
  };
}"""


def guess(screen, label: str):
    return screen.page.locator(".att-guess").first.get_by_role("button", name=label)


@pytest.mark.slow
def test_arcs_come_with_a_guess_from_where_they_were_and_nothing_above_them_moves(screen):
    screen.open("/experiments", what_if="sentence", guess_first=True)
    screen.see("after-arcs")
    asked = screen.page.evaluate(AFTER)
    assert (asked["arcs"], asked["left"], asked["question"]) == (0, 0, "?")
    # The label for screen readers names no weight, and the table has no number.
    assert screen.page.locator("[data-figure=after-arcs] [data-at='0']").get_attribute("aria-label") == "hen"
    screen.page.evaluate(
        f"""() => {{
  const look = {AFTER};
  const before = look();
  const step = () => {{
    const now = look();
    if (now.running.length) window.seen = {{ ...now, moved: now.top - before.top }};
    else requestAnimationFrame(step);
  }};
  step();
}}"""
    )
    guess(screen, say("what_if.answer.sentence.differs")).click()
    screen.page.wait_for_function("() => window.seen")
    seen = screen.page.evaluate("() => window.seen")
    assert seen["question"] == ""
    assert seen["left"] == screen.page.locator("[data-figure=before-arcs] .att-head-arc").count() > 3
    assert seen["moved"] == 0
    assert len(seen["running"]) == seen["arcs"] > 3
    # In each head, an arc comes from another place.
    assert sum(first != last for first, last in seen["running"]) >= 4
    screen.until_parameter("guess", "if_sentence.differs")
    screen.page.locator(".att-prose", has_text="Right: ").wait_for()


def test_who_wants_no_motion_sees_none(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.open("/experiments", guess_first=True, what_if="tied")
    screen.see("after-arcs")
    screen.page.evaluate("() => { Element.prototype.animate = () => { window.moved = true; }; }")
    guess(screen, say("what_if.answer.shown")).click()
    screen.until_parameter("guess", "if_tied.shown")
    screen.page.wait_for_function(f"() => ({AFTER})().arcs > 3")
    assert screen.page.evaluate("() => window.moved") is None


def test_a_link_that_asks_nothing_shows_the_answer_and_another_question_of_a_visit_waits(screen):
    screen.open("/experiments", what_if="tied")
    screen.see("after-arcs")
    assert screen.page.evaluate(AFTER)["arcs"] > 3
    screen.open("/experiments")
    screen.choose("what_if", "mistakes")
    screen.until_parameter("what_if", "mistakes").see("after-arcs")
    assert screen.page.evaluate(AFTER)["question"] == "?"


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [({"what_if": "bias", "shifted": "queries"}, "pairs"), ({"what_if": "basis"}, "pairs")],
    ids=str,
)
def test_both_sentences_the_answer_and_the_way_on_are_on_one_screen(screen, asked, numbers):
    """During a drag of the slider, its effect was below the screen, and so was the way on."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    name = asked.get("shifted", asked["what_if"])
    screen.open("/experiments", guess_first=True, guess=f"if_{name}.stays", **asked)
    view = screen.page.locator("[data-view='experiments.arcs']")
    way_on = view.locator("> .att-buttons button")
    way_on.wait_for()
    figures = [view.locator(f"[data-figure={id}] svg").first for id in ("before-arcs", "after-arcs", numbers)]
    before, after, below = (figure.bounding_box() for figure in figures)
    assert before["y"] < after["y"] < below["y"]
    for box in (below, way_on.bounding_box()):
        assert box["y"] + box["height"] <= 900
    # The answer stands between both sentences and the numbers, with the way on beside it.
    verdict = view.locator("> .att-prose").bounding_box()
    assert after["y"] + after["height"] <= verdict["y"]
    assert verdict["y"] + verdict["height"] <= below["y"]
    assert verdict["x"] + verdict["width"] <= way_on.bounding_box()["x"]
    assert screen.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_on_a_phone_every_stop_has_its_number_and_its_name_in_sight(phone, lang):
    """Digits alone did not tell where they lead. A row of the questions showed one and a half of seven."""
    phone.open("/experiments", what_if="columns", lang=lang)
    stops = phone.page.locator("[class*='st-key-what_if'] [role=radio]")
    stops.last.wait_for()
    boxes = [one.bounding_box() for one in stops.all()]
    assert len(boxes) == 7
    assert len({box["y"] for box in boxes}) == 1
    assert boxes[-1]["x"] + boxes[-1]["width"] <= phone.page.viewport_size["width"]
    names = [one.locator("span[style]").last for one in stops.all()]
    assert [one.text_content() for one in names] == [say(f"what_if.stop.{name}", lang) for name in EXPERIMENTS]
    for name, box in zip((one.bounding_box() for one in names), boxes, strict=True):
        assert box["x"] < name["x"]
        assert name["x"] + name["width"] < box["x"] + box["width"]
        assert name["y"] + name["height"] < box["y"] + box["height"]


def test_on_a_phone_both_sentences_stand_above_the_bar(phone):
    """The bar covered the second line of the sentence after the change."""
    phone.open("/experiments")
    words = phone.page.locator("[data-figure=after-arcs] [data-name^='box ']")
    words.first.wait_for()
    boxes = [one.bounding_box() for one in words.all()]
    assert len({round(box["y"]) for box in boxes}) > 1
    assert max(box["y"] + box["height"] for box in boxes) <= phone.page.locator(".st-key-bar").bounding_box()["y"]


@pytest.mark.slow
def test_on_a_phone_the_answer_comes_into_sight(phone):
    phone.open("/experiments", what_if="sentence", guess_first=True)
    phone.see("after-arcs")
    button = guess(phone, say("what_if.answer.sentence.stays"))
    button.scroll_into_view_if_needed()
    button.click()
    phone.until_parameter("guess", "if_sentence.stays")
    phone.page.wait_for_function(f"() => ({AFTER})().arcs > 3")
    box = phone.page.locator("[data-figure=after-arcs] svg").first.bounding_box()
    assert box["y"] > 0
    assert box["y"] + box["height"] < phone.page.viewport_size["height"]


def test_on_a_phone_the_way_on_leads_to_both_sentences_and_the_question_between_them(phone):
    """The button stands below the sentences, and the answers of the next question were above the screen."""
    phone.open("/experiments", guess_first=True, what_if="tied", guess="if_tied.stays")
    way_on = phone.page.locator("[data-view='experiments.arcs'] > .att-buttons button")
    way_on.evaluate("(button) => button.scrollIntoView({ block: 'start' })")
    way_on.click()
    phone.until_parameter("what_if", "sentence")
    phone.page.wait_for_function(f"() => ({AFTER})().question === '?'")
    first = phone.page.locator("[data-figure=before-arcs] svg").first.bounding_box()
    last = guess(phone, say("what_if.answer.shown")).bounding_box()
    assert 0 < first["y"] < last["y"]
    assert last["y"] + last["height"] < phone.page.viewport_size["height"]


def test_arcs_that_stay_are_drawn_as_they_are_with_an_equals_sign_beside_their_name(screen):
    """Pale arcs were read as arcs that had vanished."""
    screen.open("/experiments", what_if="columns")
    screen.see("after-arcs")
    look = """(id) => [...document.querySelectorAll(`[data-figure='${id}'] .att-head-arc`)].map(
  (arc) => [arc.getAttribute("d"), arc.getAttribute("stroke"), getComputedStyle(arc).opacity])"""
    before, after = (screen.page.evaluate(look, f"{side}-arcs") for side in ("before", "after"))
    assert before == after
    assert len(after) > 3
    assert screen.page.evaluate(AFTER)["left"] == 0
    name, equals = (screen.page.locator(f"[data-figure=after-arcs] {one}") for one in (".att-side", ".att-lane-equals"))
    assert equals.text_content() == "="
    boxes = [one.bounding_box() for one in (name, equals)]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + 1
    assert not screen.page.locator("[data-figure=before-arcs] .att-lane-equals").count()


def test_all_that_is_taken_is_drawn_in_full_and_what_was_taken_is_dashed(screen):
    """Arcs of unchanged heads were pale in both pictures, and so were arcs that had changed."""
    screen.open("/experiments", what_if="bias", shifted="queries")
    screen.see("after-arcs")
    look = """(one) => [...document.querySelectorAll(`[data-figure$='-arcs'] ${one}`)].map((arc) => {
  const { opacity, strokeOpacity, strokeDasharray } = getComputedStyle(arc);
  return [Number(opacity), Number(strokeOpacity), strokeDasharray];
})"""
    taken = screen.page.evaluate(look, ".att-head-arc:not(.att-lane-was *)")
    assert len(taken) > 8
    assert {tuple(one) for one in taken} == {(1, 1, "none")}
    left = screen.page.evaluate(look, ".att-lane-was .att-head-arc")
    assert left
    assert all(dashes != "none" for *_, dashes in left)


def test_a_number_below_zero_has_a_true_minus_at_its_slider_and_is_understood_while_it_is_held(screen):
    """The address has the number only after the slider is let go."""
    screen.open("/experiments", what_if="bias")
    screen.see("after-arcs")
    track, mouse = screen.widget("shift").locator("[role=group]").bounding_box(), screen.page.mouse
    right, middle = track["x"] + track["width"], track["y"] + track["height"] / 2
    mouse.move(right - 8, middle)
    mouse.down()
    mouse.move(right - 0.67 * track["width"], middle, steps=5)
    side = say("what_if.after.keys", by="−1.5")
    screen.until("(side) => document.querySelector('[data-figure=after-arcs] .att-side').textContent === side", side)
    assert "shift" not in screen.parameters
    assert screen.widget("shift").inner_text().endswith("−1.5")
    mouse.up()
    screen.until_parameter("shift", "-1.5")


# For each name of an arc, its text and the head of the arc with the nearest end.
NEAREST = """() => {
  const card = "[data-figure=after-arcs] ";
  const arcs = [...document.querySelectorAll(card + ".att-head-arc:not(.att-lane-was *)")];
  const ends = arcs.map((arc) => [arc.getPointAtLength(arc.getTotalLength()).x, Number(arc.dataset.head)]);
  return [...document.querySelectorAll(card + ".att-arc-name")].map((name) => {
    const { x, width } = name.getBBox();
    const far = ([end]) => Math.max(x - end, end - x - width, 0);
    return [` ${name.textContent}`, ends.reduce((best, one) => (far(one) < far(best) ? one : best))[1]];
  });
}"""


def test_what_is_added_is_written_beside_its_numbers_and_no_name_at_the_foot_of_another_arc(screen):
    """*Moved by* covered the first number, and the name of a head stood at a word that it does not look at."""
    screen.open("/experiments", what_if="bias", shifted="values")
    screen.see("pairs")
    first, second, *_ = (one.bounding_box() for one in screen.page.locator("[data-figure=pairs] .att-pair-far").all())
    assert first["x"] + first["width"] <= second["x"] or first["y"] + first["height"] <= second["y"] + 1
    screen.open("/experiments", what_if="bias", shifted="queries")
    screen.see("after-arcs")
    named = screen.page.evaluate(NEAREST)
    assert len(named) > 2
    assert [name for name, head in named if not name.endswith(f" {head + 1}")] == []
