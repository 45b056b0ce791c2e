"""The costs of a layer as areas: their sizes, and the motion of the picture when its scale changes."""

from itertools import combinations, pairwise

import pytest

from tests.support.browser import DESKTOP, PHONE

pytestmark = pytest.mark.browser

SHEET = "[data-figure=costs-sheet]"
# The texts among the areas and below the slider, with their boxes.
WORDS = f"""() => [...document.querySelectorAll(`{SHEET} :is([data-name$=words], .att-sheet svg) > text`)]
  .filter((one) => one.textContent)
  .map((one) => [one.textContent, one.getBoundingClientRect()])
  .map(([said, {{ left, right, top, bottom }}]) => ({{ said, left, right, top, bottom }}))"""
MOVES = f"""() => document.querySelector(`{SHEET} [data-name=shapes]`).getAnimations()
  .map((one) => one.effect.getKeyframes()[0].transform)"""


def touch(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes overlap by more than the empty space above and below letters."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    return across > 1 and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 5


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_the_areas_fill_the_width_and_their_words_stand_apart(screen, size):
    """The areas are the picture of the page; the square of sixteen tokens was as small as a line."""
    screen.page.set_viewport_size(size)
    longest = {"cost_n": 131_072}
    for sent in (
        {"cost_n": 16},
        {"cost_n": 2048},
        {"cost_n": 8192},
        longest,
        longest | {"cost_model": "llama3", "guess": "costs.same"},
    ):
        screen.open("/costs", **sent)
        words = screen.page.evaluate(WORDS)
        assert words
        assert not [(one["said"], other["said"]) for one, other in combinations(words, 2) if touch(one, other)]
        assert not [one for one in words if one["left"] < 0 or one["right"] > size["width"]]
        top = screen.page.locator(f"{SHEET} svg:has(> [data-name=stage])").bounding_box()["y"]
        assert not [one for one in words if one["top"] < top]


@pytest.mark.parametrize("sent", [{"cost_n": 64}, {"cost_n": 4096}, {"cost_n": 32, "cost_model": "llama3"}], ids=str)
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_areas_are_true_to_scale_on_the_screen(screen, size, sent):
    """Beside a whole layer, the square of sixteen tokens is a dot. A lens enlarges it, together with the areas beside
    it, on one scale."""
    screen.page.set_viewport_size(size)
    screen.open("/costs", **sent)
    drawn = screen.page.evaluate(
        """() => [...document.querySelectorAll('[data-figure=costs-sheet] rect[data-name^="block "]')]
          .map((one) => [one.dataset.name, Number(one.getAttribute("width")), Number(one.getAttribute("height"))])"""
    )
    scales: dict[str, dict[str, tuple[float, float]]] = {}
    for name, width, height in drawn:
        block, _, scale = name.partition(", ")
        scales.setdefault(scale, {})[block] = (width, height)
    columns = {"gpt2": (1536, 3072), "llama3": (5120, 21504)}[sent.get("cost_model", "gpt2")]
    for blocks in scales.values():
        side, high = blocks["block 0"]
        assert side == pytest.approx(high)
        for block, wide in zip(("block 1", "block 2"), columns, strict=True):
            assert blocks[block] == pytest.approx((side * wide / sent["cost_n"], side), rel=0.01)
    # The largest drawn square is large enough to be seen.
    largest = max(blocks["block 0"][0] for blocks in scales.values())
    assert largest >= 14
    assert len(scales) == (2 if sent["cost_n"] < 1024 else 1)


def test_the_picture_moves_away_from_what_it_has_shown_only_when_its_scale_changes(screen):
    """A square that shrinks while n grows would say the opposite of the truth."""
    screen.open("/costs", cost_n=4096)
    for pressed, scale in (("ArrowRight", 1), ("ArrowRight", 8), ("ArrowLeft", 1 / 8)):
        screen.page.evaluate("document.getAnimations().forEach((one) => one.finish())")
        # Pause each animation as it begins, so that the test can read it.
        screen.page.evaluate(
            """() => {
              const animate = (Element.prototype.was ??= Element.prototype.animate);
              Element.prototype.animate = function (frames, given) {
                const one = animate.call(this, frames, given);
                one.pause();
                return one;
              };
            }"""
        )
        screen.slide("cost_n", pressed)
        screen.settle()
        moves = screen.page.evaluate(MOVES)
        assert bool(moves) == (scale != 1)
        for move in moves:
            assert float(move.split("scale(")[1].rstrip(")")) == pytest.approx(scale, rel=0.01)
        # While shapes move, words at their final places would lie on other shapes, so they are transparent.
        assert screen.page.locator(f"{SHEET} [data-name=words]").is_visible()
        opacity = "document.querySelector('[data-name=words]').computedStyleMap().get('opacity').value"
        assert screen.page.evaluate(opacity) == (0 if moves else 1)


def test_where_the_pairs_become_half_is_guessed_on_the_line(screen):
    """Guesses are made by click and by key. The answer stands at its place, and a second click takes the guess back."""
    screen.open("/costs", cost_n=512)
    zones = screen.page.locator(f"{SHEET} [role=option]")
    assert zones.count() == 8
    zones.first.focus()
    screen.page.keyboard.press("ArrowRight")
    screen.page.keyboard.press("Enter")
    guessed = screen.page.locator(f"{SHEET} [data-name=guessed]")
    guessed.wait_for()
    assert guessed.get_attribute("aria-label") == "✗ 1,024–2,048"
    meets = screen.page.locator(f"{SHEET} [data-name='meets 0']").bounding_box()
    ends = [screen.page.locator(f"{SHEET} [data-name='length {at}']").bounding_box() for at in (8, 9)]
    assert ends[0]["x"] < meets["x"] < ends[1]["x"]
    guessed.click()
    zones.nth(3).click()
    screen.page.locator(f"{SHEET} .att-right").wait_for()


def test_each_second_edge_of_the_zones_is_named_on_a_phone(screen):
    """A guess between lengths without names would be a blind one."""
    screen.page.set_viewport_size(PHONE)
    screen.open("/costs", cost_n=512)
    zones = boxes(screen, "box ")
    edges = [box["left"] for box in zones] + [zones[-1]["right"]]
    assert len(edges) == 9
    named = [(box["left"] + box["right"]) / 2 for box in boxes(screen, "length ")]
    # The names of the first and the last edge are moved inside the picture.
    far = [min(abs(edge - one) for one in named) < 25 for edge in edges]
    assert all(one or other for one, other in pairwise(far))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_what_was_guessed_stands_apart_from_the_line(screen, size):
    screen.page.set_viewport_size(size)
    for length in (512, 4096, 16_384):
        screen.open("/costs", cost_n=512, guess=f"half_gpt2.{length}")
        [said] = boxes(screen, "said ")
        line = screen.page.evaluate(
            f"""() => {{
              const line = document.querySelector(`{SHEET} [data-name="line 0"]`);
              const {{ left, top }} = line.ownerSVGElement.getBoundingClientRect();
              const all = line.getTotalLength();
              return Array.from({{ length: 400 }}, (_, at) => line.getPointAtLength((at * all) / 399))
                .map(({{ x, y }}) => [left + x, top + y]);
            }}"""
        )
        [meets] = boxes(screen, "meets line ")
        line += [(meets["left"], meets["top"] + at) for at in range(int(meets["height"]))]
        crossed = [y for x, y in line if said["left"] < x < said["right"]]
        assert crossed
        assert not [y for y in crossed if said["top"] + 3 < y < said["bottom"] - 3]


def boxes(screen, name: str) -> list[dict[str, float]]:
    """The boxes of the elements whose names begin with `name`, from left to right."""
    found = screen.page.evaluate(
        f"""() => [...document.querySelectorAll(`{SHEET} [data-name^="{name}"]`)]
          .map((one) => one.getBoundingClientRect().toJSON())"""
    )
    return sorted(found, key=lambda box: box["left"])


def test_a_guess_is_answered_on_the_screen_on_which_it_is_made(screen):
    """The answer stands on one screen with the slider and the picture that it is about."""
    height = 900
    screen.page.set_viewport_size({"width": 1400, "height": height})
    screen.open("/costs", guess="costs.smaller")
    for seen in (screen.page.get_by_role("slider").first, screen.page.get_by_text("half at 26,624 = 6.5")):
        box = seen.bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height
