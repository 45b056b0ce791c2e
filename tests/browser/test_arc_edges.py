"""Arcs and loops of the first and the last word: none is cut at the edge, and no name lies under the menu."""

import pytest

from tests.support.browser import PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast("test_no_arc_of_a_word_at_the_edge_is_cut", "test_no_name_lies_under_the_menu_of_its_figure"),
]
# How far the lines of a picture go beyond its left and its right edge, with their width.
BEYOND = """card => {
  const svg = card.querySelector("svg");
  const width = svg.width.baseVal.value;
  const out = [...svg.querySelectorAll(".att-head-arc, .att-arc, .att-arc-quiet")].map((arc) => {
    const half = Number(arc.getAttribute("stroke-width")) / 2;
    const length = arc.getTotalLength();
    const xs = [...Array(201).keys()].map((at) => arc.getPointAtLength((length * at) / 200).x);
    return Math.max(half - Math.min(...xs), Math.max(...xs) + half - width);
  });
  return [out.length, Math.max(...out)];
}"""
UNDER = """card => {
  const menu = card.querySelector(".att-menu").getBoundingClientRect();
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const names = [...card.querySelectorAll(".att-arc-name")];
  return names.filter((one) => meets(one.getBoundingClientRect(), menu)).length;
}"""


@pytest.mark.parametrize("is_phone", [False, True])
@pytest.mark.parametrize(
    ("page", "figure", "link"),
    [
        ("/masks", "seen", {"mask": "causal", "cell": "weights.0.0.seen"}),
        ("/masks", "seen", {"mask": "causal", "heads": 8, "cell": "weights.0.0.seen"}),
        ("/masks", "seen", {"mask": "causal", "heads": 8, "cell": "weights.10.0.seen"}),
        ("/experiments", "after-arcs", {"what_if": "tied", "cell": "weights.0.0.arcs"}),
        ("/experiments", "after-arcs", {"what_if": "tied", "cell": "weights.10.0.arcs"}),
    ],
    ids=str,
)
@pytest.mark.slow
def test_no_arc_of_a_word_at_the_edge_is_cut(screen, page, figure, link, is_phone):
    if is_phone:
        screen.page.set_viewport_size(PHONE)
    screen.open(page, **link)
    count, beyond = screen.see(figure).evaluate(BEYOND)
    assert count > 0
    assert beyond <= 0.5


@pytest.mark.slow
def test_no_name_lies_under_the_menu_of_its_figure(screen):
    screen.page.set_viewport_size(PHONE)
    screen.open("/masks", mask="causal")
    assert screen.see("seen").evaluate(UNDER) == 0
