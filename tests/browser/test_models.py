"""The wall of all heads: one is opened by a click or from the keyboard, and its weights stand large below."""

import numpy as np
import pytest

from tests.support.trained import model

pytestmark = pytest.mark.browser

HEAD = ".att-wall [data-head='{}']"
TEXT = "Two quiet rivers met below the town"


def test_a_head_is_opened_by_a_click_and_from_the_keyboard(screen):
    weights = [trace["weights"].value[0] for trace in model("minilm").traces(TEXT)]
    screen.open("/models", model_text=TEXT)
    for act, layer, head in (
        (lambda: screen.page.locator(HEAD.format("5.6")).click(), 5, 6),
        (lambda: screen.page.locator(HEAD.format("2.9")).press("Enter"), 2, 9),
    ):
        screen.changed(act)
        screen.until_parameter("model_layer", str(layer))
        screen.until_parameter("model_head", str(head))
        assert screen.page.locator(HEAD.format(f"{layer}.{head}")).get_attribute("aria-checked") == "true"
        drawn = screen.numbers(screen.see("weights"))
        np.testing.assert_allclose(drawn, weights[layer - 1][head - 1].numpy(), atol=1e-3)
    # One stop of the tab key for all of them, and arrow keys between them.
    assert screen.page.locator(".att-wall [role=radio][tabindex='0']").count() == 1
    screen.page.locator(HEAD.format("2.9")).press("ArrowRight")
    assert screen.page.evaluate("() => document.activeElement.dataset.head") != "2.9"
