"""Numbers before and after a change: each pair of bars stands exactly below its word, and all pairs are in sight."""

import pytest

from tests.support.browser import PHONE

MIDDLES = """card => {
  const middle = (name) => {
    const box = card.querySelector(`[data-name="${name}"]`).getBoundingClientRect();
    return (box.left + box.right) / 2;
  };
  return [...Array(11).keys()].map((at) => (middle(`before ${at}`) + middle(`after ${at}`)) / 2);
}"""
WORDS = """card => [...card.querySelectorAll(".att-word")].map((word) => {
  const box = word.getBoundingClientRect();
  return (box.left + box.right) / 2;
})"""
ENDS = "card => [...card.querySelectorAll('rect')].map((one) => one.getBoundingClientRect().right)"


@pytest.mark.slow
def test_each_pair_stands_straight_below_its_word(screen):
    screen.open("/experiments", what_if="mistakes")
    bars = screen.see("pairs").evaluate(MIDDLES)
    assert bars == pytest.approx(screen.see("before-arcs").evaluate(WORDS), abs=1)


def test_on_a_phone_all_bars_are_in_sight(screen):
    screen.page.set_viewport_size(PHONE)
    screen.open("/experiments", what_if="mistakes")
    assert max(screen.see("pairs").evaluate(ENDS)) <= PHONE["width"]
