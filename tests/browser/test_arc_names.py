"""Names of arcs, for sentences at random: no two stand on each other or on a word, and none is cut at an edge."""

import random

import pytest

from tests.support.covering import EVERY_TEST

pytestmark = pytest.mark.browser

LAID = """async (sentences) => {
  const { laid, placesAt } = await import('/assets/plot/arc_names.js');
  const { bow } = await import('/assets/plot/arc_paths.js');
  return sentences.map(({ words, focus, names, width, top }) => {
    const middle = (at) => words[at].x + words[at].wide / 2;
    const arcs = names.map(({ to }) => ({ ...bow(middle(to), middle(focus), top, 20 + 0.2 * top), wide: 7 }));
    const sized = names.map(({ to, wide, high }) => {
      const side = middle(to) < middle(focus) ? -1 : 1;
      const place = { middle: middle(to), end: middle(focus), bottom: top - 3, beside: 11, side, wide, high, width };
      return { wide, high, places: placesAt({ ...place, rows: 5 }) };
    });
    const alone = laid(sized.slice(0, 1), { arcs, blocked: words, width });
    return [alone, laid(sized, { arcs, blocked: words, width })];
  });
}"""


def sentence(draw: random.Random) -> dict:
    """Words in one line, and names at words at random, several at some of them."""
    top, at, words = draw.choice((61, 113, 191)), draw.uniform(0, 40), []
    for _ in range(draw.choice((2, 5, 11, 23))):
        wide = draw.uniform(9, 97)
        words.append({"x": at, "y": top, "wide": wide, "high": 37})
        at += wide + draw.uniform(5, 31)
    names = [
        {"to": draw.randrange(len(words)), "wide": draw.uniform(20, 149), "high": 17}
        for _ in range(draw.randrange(1, 9))
    ]
    width = max(at, 151)
    return {"words": words, "focus": draw.randrange(len(words)), "names": names, "width": width, "top": top}


def meet(a: dict, b: dict) -> bool:
    beside = a["x"] < b["x"] + b["wide"] and b["x"] < a["x"] + a["wide"]
    return beside and a["y"] < b["y"] + b["high"] and b["y"] < a["y"] + a["high"]


@pytest.mark.slow
def test_names_stand_beside_each_other_and_inside_the_picture(screen):
    drawn = [sentence(random.Random(seed)) for seed in range(331 if EVERY_TEST else 83)]
    screen.open("/heads")
    found = screen.page.evaluate(LAID, drawn)
    for one, (alone, boxes) in zip(drawn, found, strict=True):
        assert alone[0] is not None
        placed = [box for box in boxes if box]
        for at, box in enumerate(placed):
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["wide"] <= one["width"] + 1e-6
            assert not any(meet(box, other) for other in placed[:at] + one["words"])
    # The sentences have little room on purpose; nevertheless, most names have a place.
    missing = [sum(box is None for box in boxes) for _, boxes in found]
    assert sum(missing) < 0.1 * sum(len(one["names"]) for one in drawn)


NAMES = """() => [...document.querySelectorAll('.att-arc-name')].map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const frame = one.ownerSVGElement.getBoundingClientRect();
  const isCut = left < frame.left - 1 || right > frame.right + 1;
  return { x: left, y: top, wide: right - left, high: bottom - top, isCut };
})"""


@pytest.mark.slow
def test_two_heads_that_answer_one_question_have_one_name_with_the_number_of_each_in_its_colour(screen):
    """Two names with the same question at one word were read as a mistake."""
    screen.open("/heads", cell="weights.4.0.arcs")
    names = screen.page.locator("[data-figure=head-arcs] .att-arc-name")
    names.first.wait_for()
    assert sorted(names.all_text_contents()) == ["to whom? · heads 2, 3", "who? · head 1", "whom? · head 4"]
    of_both = names.filter(has_text="heads")
    fills = of_both.locator("tspan").evaluate_all("(all) => all.map((one) => [one.textContent, one.style.fill])")
    arcs = screen.page.locator("[data-figure=head-arcs] .att-head-arc")
    of_arcs = arcs.evaluate_all(
        "(all) => Object.fromEntries(all.map((one) => [one.dataset.head, getComputedStyle(one).stroke]))"
    )
    shown = of_both.locator("tspan").evaluate_all("(all) => all.map((one) => getComputedStyle(one).fill)")
    assert [text for text, _ in fills] == ["to whom? · heads ", "2", ", ", "3"]
    assert [shown[1], shown[3]] == [of_arcs["1"], of_arcs["2"]]
    # The text between the numbers has the colour of neither head.
    assert shown[0] == shown[2] not in of_arcs.values()


WORDS = (4, 6, 9)


@pytest.mark.parametrize(("width", "first"), [(1400, 0), (881, 1), (390, 2)])
@pytest.mark.slow
def test_so_they_do_on_the_page(screen, width, first):
    """The fast form checks each width with one word, the others each width with each word."""
    screen.page.set_viewport_size({"width": width, "height": 900})
    for word in WORDS if EVERY_TEST else WORDS[first : first + 1]:
        screen.open("/heads", cell=f"weights.{word}.0.arcs")
        names = screen.page.evaluate(NAMES)
        assert names
        assert not [one for one in names if one["isCut"]]
        # Boxes of text may meet in the space above and below the letters.
        slim = [one | {"y": one["y"] + 3, "high": one["high"] - 6} for one in names]
        assert not any(meet(one, other) for at, one in enumerate(slim) for other in slim[:at])
