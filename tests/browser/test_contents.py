"""The contents in a browser: a picture is drawn when it comes into sight, and all of it is a link."""

import pytest

from pages.shell.layout.menu import CONTENTS, MENU
from pages.shell.state.opens_with import OPENS_WITH

pytestmark = pytest.mark.browser
ORDER = [page for group in MENU.values() for page in group]
WINDOW = {"width": 1400, "height": 700}
# For each page, whether its picture is in sight, and whether it is drawn.
PICTURES = """() => [...document.querySelectorAll('.att-thumbnail')].map((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  const cards = [...one.shadowRoot.querySelectorAll('.att-card')];
  const isDrawn = 'drawn' in one.dataset && cards.some((card) => card.dataset.drawn === card.dataset.stamp);
  return [bottom > 0 && top < innerHeight, isDrawn];
})"""
DRAWN = f"() => ({PICTURES})().every(([isInSight, isDrawn]) => isDrawn || !isInSight)"


@pytest.mark.slow
def test_a_picture_is_drawn_when_it_comes_into_sight_and_leads_to_its_page(screen):
    screen.page.set_viewport_size(WINDOW)
    screen.page.goto(f"{screen.base}/{CONTENTS}?mask=causal")
    screen.page.wait_for_function(f"() => ({PICTURES})().length === {len(ORDER)} && ({DRAWN})()")
    found = screen.page.evaluate(PICTURES)
    assert any(is_in_sight for is_in_sight, _ in found)
    # A picture that has not been in sight is not requested.
    assert [is_drawn for is_in_sight, is_drawn in found if not is_in_sight][-1] is False
    # A picture is no figure of this page: keyboard and screen reader skip it.
    assert screen.page.locator(".att-thumbnail:not([inert]), .att-thumbnail:not([aria-hidden])").count() == 0
    last = screen.page.locator(f".st-key-lead-{ORDER[-1]}")
    last.scroll_into_view_if_needed()
    screen.page.wait_for_function(DRAWN)
    # A click on the picture follows the link.
    last.locator(".att-thumbnail").click(force=True)
    screen.page.wait_for_url(f"**/{ORDER[-1]}?*")
    screen.settle()
    assert screen.parameters == {"mask": "causal", **OPENS_WITH.get(ORDER[-1], {})}
