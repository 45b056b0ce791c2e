"""A cell's number before the last change: small beneath the present one, for this change alone, and in the sentence."""

import numpy as np
import pytest

pytestmark = pytest.mark.browser
LINK = {"preset": "random", "d_k": 4, "d_v": 3, "heads": 2, "mask": "causal", "step": "x"}
SHOWN = "() => [...document.querySelectorAll('.att-ghosts')].length"
GHOSTS = "(card) => [...card.querySelectorAll('.att-ghosts text')].map((ghost) => ghost.textContent)"
# The old number is within its cell, and below the present number.
PLACES = """(card) => {
  const boxes = (which) => [...card.querySelectorAll(which)].map((text) => text.getBoundingClientRect());
  const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
  const numbers = boxes('.att-numbers text').map(middle);
  return boxes('.att-ghosts text').map((box) => {
    const [x, y] = middle(box);
    return Math.min(...numbers.filter(([left]) => Math.abs(left - x) < 2).map(([, top]) => Math.abs(y - top)));
  });
}"""
SAID = "() => document.querySelector('.att-moved [role=status]').textContent"


def said(screen) -> str:
    """The text at the controls, which may be far above the figure. The mouse is moved away, since it would point at
    whatever scrolls under it."""
    screen.page.mouse.move(0, 0)
    screen.page.locator(".att-moved").first.scroll_into_view_if_needed()
    return screen.settle().page.evaluate(SAID)


@pytest.mark.slow
def test_a_move_leaves_the_old_numbers_for_as_long_as_it_is_the_last(screen):
    screen.open(**LINK)
    before = screen.numbers(screen.see("weights", "result"))
    assert screen.page.evaluate(SHOWN) == 0

    # Press one key: on a slow machine, each of several presses is a change of its own.
    screen.changed(lambda: screen.slide("d_k", "ArrowRight"))
    card = screen.see("weights", "result")
    screen.until(f"() => ({SHOWN})() > 0")
    after = screen.numbers(card)
    pairs = [(f"{old:.2f}", f"{new:.2f}") for old, new in zip(before.flat, after.flat, strict=True)]
    ghosts = card.evaluate(GHOSTS)
    assert ghosts == [old for old, new in pairs if old != new]
    assert len(ghosts) > 20
    assert all(6 < distance < 16 for distance in card.evaluate(PLACES))
    # Under the causal mask, the first word keeps its weight of 1 on itself: an unchanged cell's tip has no old number.
    screen.point(screen.see("weights", "result"), 0, 0)
    card.locator(".att-tip").wait_for()
    assert "before" not in card.locator(".att-tip").inner_text()
    row, column = np.unravel_index(np.nanargmax(abs(after - before)), before.shape)
    # The moved control is far above the figure.
    screen.point(screen.see("weights", "result"), int(row), int(column))
    assert f"(before: {before[row, column]:.3g}"[:12] in card.locator(".att-tip").inner_text()
    # The sentence is about the last word, which is followed if nobody has chosen one, or about the one under the
    # pointer: a row that the pointer passed stays in the sentence until the answer to the next one comes.
    took = [[f"{np.nanmax(weights[at]):.2f}" for weights in (after, before)] for at in (-1, row)]
    said(screen)
    screen.until(f"(took) => took.some((both) => both.every((share) => ({SAID})().includes(share)))", took)

    # Choosing another head is no change: its numbers do not come from those of the first head.
    screen.changed(lambda: screen.slide("head", "ArrowRight"))
    assert screen.see("weights", "result").evaluate(GHOSTS) == []
    assert "d_k" in said(screen)

    # Another preset has no numbers before.
    screen.changed(lambda: screen.choose("preset", "notebook"))
    card = screen.see("weights", "result")
    screen.point(card, 0, 0)
    # Old numbers are drawn a while after the new ones, but the tip has them at once.
    tip = card.locator(".att-tip")
    tip.wait_for()
    assert "before" not in tip.inner_text()
    assert screen.page.evaluate(SHOWN) == 0
