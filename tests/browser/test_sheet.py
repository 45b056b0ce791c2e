"""What a layer computes, as areas: how large they are, and how the picture moves away when its scale changes."""

from itertools import combinations

import pytest

from tests.support.browser import DESKTOP, PHONE

pytestmark = pytest.mark.browser

SHEET = "[data-figure=costs-sheet]"
# The boxes of the words among the areas and below the slider, and what they say.
WORDS = f"""() => [...document.querySelectorAll(`{SHEET} :is([data-name=words], .att-sheet svg) > text`)]
  .filter((one) => one.textContent)
  .map((one) => [one.textContent, one.getBoundingClientRect()])
  .map(([said, {{ left, right, top, bottom }}]) => ({{ said, left, right, top, bottom }}))"""
MOVES = f"""() => document.querySelector(`{SHEET} [data-name=shapes]`).getAnimations()
  .map((one) => one.effect.getKeyframes()[0].transform)"""


def touch(one: dict[str, float], other: dict[str, float]) -> bool:
    """By more than letters have above and below them."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    return across > 1 and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 5


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_the_areas_fill_the_width_and_their_words_stand_apart(screen, size):
    """They are the picture of the page; a square of sixteen tokens was a line in it."""
    screen.page.set_viewport_size(size)
    for sent in ({"cost_n": 16}, {"cost_n": 2048}, {"cost_n": 131_072, "cost_model": "llama3", "guess": "costs.same"}):
        screen.open("/costs", **sent)
        words = screen.page.evaluate(WORDS)
        assert words
        assert not [(one["said"], other["said"]) for one, other in combinations(words, 2) if touch(one, other)]
        assert not [one for one in words if one["left"] < 0 or one["right"] > size["width"]]
        square = screen.page.locator(f"{SHEET} [data-name^='block 0']").bounding_box()
        frame = screen.page.locator(f"{SHEET} [data-name^='frame']").bounding_box()
        assert square["width"] > frame["width"] / 4 - 1
        assert frame["width"] >= 0.24 * size["width"]


def test_the_picture_moves_away_from_what_it_has_shown_only_when_its_scale_changes(screen):
    """A square that shrinks while n grows would say the opposite of what is so."""
    screen.open("/costs", cost_n=4096)
    for pressed, moves in (("ArrowRight", []), ("ArrowRight", ["scale(4)"]), ("ArrowLeft", ["scale(0.25)"])):
        screen.page.evaluate("document.getAnimations().forEach((one) => one.finish())")
        # Held back, so that what has begun is still there to be seen.
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
        assert screen.page.evaluate(MOVES) == moves
        # Words that stand already where the shapes will come to rest would lie on others.
        assert screen.page.locator(f"{SHEET} [data-name=words]").is_visible()
        opacity = "document.querySelector('[data-name=words]').computedStyleMap().get('opacity').value"
        assert screen.page.evaluate(opacity) == (0 if moves else 1)


def test_a_guess_is_answered_on_the_screen_on_which_it_is_made(screen):
    """With the slider and the picture that it is about."""
    height = 900
    screen.page.set_viewport_size({"width": 1400, "height": height})
    screen.open("/costs", guess="costs.smaller")
    for seen in (screen.page.get_by_role("slider").first, screen.page.get_by_text("half at 26,624 = 6.5")):
        box = seen.bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height
