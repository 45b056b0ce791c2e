"""The wall of all heads: one is opened by a click or from the keyboard."""

import pytest

from tests.support.trained import needed

pytestmark = [pytest.mark.browser, pytest.mark.models]

HEAD = ".att-wall [data-head='{}']"
ASKED = """([layer, head]) => {
  const asked = new URLSearchParams(location.search);
  return asked.get('model_layer') === layer && asked.get('model_head') === head;
}"""


def test_a_head_is_opened_by_a_click_and_from_the_keyboard(screen):
    needed("minilm")
    page = screen.open("/models").page
    for layer, head, act in (
        (5, 6, lambda: page.locator(HEAD.format("5.6")).click()),
        (2, 9, lambda: page.locator(HEAD.format("2.9")).press("Enter")),
    ):
        act()
        page.wait_for_function(ASKED, arg=[str(layer), str(head)])
        page.locator("h3", has_text=f"layer {layer}, head {head} (L{layer - 1}H{head - 1}").wait_for()
        assert page.locator(HEAD.format(f"{layer}.{head}")).get_attribute("aria-checked") == "true"
    # One stop of the tab key for all of them, and arrow keys between them.
    assert page.locator(".att-wall [role=radio][tabindex='0']").count() == 1
    page.locator(HEAD.format("2.9")).press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.head") != "2.9"
    # The largest group has several rows.
    first = page.locator(".att-wall-maps:has([role=radio]:nth-child(55)) [role=radio]").first
    first.press("ArrowDown")
    above, below = first.bounding_box(), page.locator(".att-wall [role=radio]:focus").bounding_box()
    assert below["x"] == pytest.approx(above["x"], abs=1)
    assert above["height"] < below["y"] - above["y"] < 2 * above["height"]
