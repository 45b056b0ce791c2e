"""The picture of vectors in the browser: where a vector ends on the screen, and waiting for a drag and its answer."""

import math

from attention.inputs.plane import PLANE
from tests.support.one_query import expected, opened, sent

# The centre of the plane and its unit on the screen, from the handle and the circle around the origin.
PLACE = """(card) => {
  const [svg, most] = [card.querySelector('.att-canvas svg'), card.querySelector('.att-most')];
  const box = svg.getBoundingClientRect();
  const read = (name) => Number(most.getAttribute(name));
  return [box.left + read('cx'), box.top + read('cy'), read('r') / 4];
}"""
DEFAULT = {"q_angle": 130, "q_length": 1.5}
# A whole number in the address may have or lack its ".0".
IN_URL = """(wanted) => {
  const found = [...new URLSearchParams(location.search)].filter(([name]) => name.startsWith('q_'));
  return found.length === Object.keys(wanted).length && found.every(([name, value]) => Number(value) === wanted[name]);
}"""


IN_SLIDERS = """(wanted) => Object.entries(wanted).every(
  ([name, value]) => [
    ...document.querySelectorAll(`:is(.st-key-${name}, [class*="st-key-${name}--"]) input[type=range]`),
  ].some((slider) => Number(slider.value) === value))"""


def place(card, angle: float, length: float) -> tuple[float, float]:
    """The end of a vector, in pixels of the window."""
    x, y, unit = card.evaluate(PLACE)
    turned = math.radians(angle)
    return x + unit * length * math.cos(turned), y - unit * length * math.sin(turned)


def query(card) -> list[float]:
    return [float(number) for number in card.get_attribute("data-query").split(",")]


def until_drawn(screen, **link) -> None:
    """Wait until the picture has the weights of a query."""
    screen.until(
        "(stamp) => document.querySelector('.att-card[data-figure=vectors]')?.dataset.drawn === stamp"
        " && !document.querySelector('.att-card[data-moving]')",
        sent(opened(**link), "vectors")["stamp"],
    )
    assert query(screen.card("vectors")) == list((DEFAULT | link).values()), screen.page.url


def until_answered(screen, **link) -> None:
    """Wait until the picture has the weights of a query, and the sliders and the URL have the query."""
    until_drawn(screen, **link)
    shown = DEFAULT | link
    screen.until(IN_URL, {name: value for name, value in shown.items() if value != DEFAULT[name]})
    screen.until(IN_SLIDERS, shown)
    labels = screen.card("vectors").locator(".att-token text").all_text_contents()
    weights, _ = expected(link)
    for label, token, weight in zip(labels, PLANE, weights, strict=True):
        name, number = label.split(" ")
        assert name == token
        assert weight < 0.001 if number == "<0.001" else math.isclose(float(number), weight, rel_tol=0.5, abs_tol=0.006)


def drag(screen, card, *to: tuple[float, float], release: bool = True, grab: bool = True) -> None:
    if grab:
        screen.page.mouse.move(*place(card, *query(card)))
        screen.page.mouse.down()
    for angle, length in to:
        screen.page.mouse.move(*place(card, angle, length), steps=3)
    if release:
        screen.page.mouse.up()
