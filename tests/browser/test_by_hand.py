"""Numbers typed into the grid with mouse and keyboard: the figures follow, the URL carries them, and back again."""

import contextlib

import numpy as np
import pytest
from playwright.sync_api import TimeoutError as WaitedInVain

from pages.shell.i18n import say
from tests.support.app import computed, edited, recorded
from tests.support.browser import Screen

pytestmark = pytest.mark.browser

ROW = 35


def opened(screen: Screen, **link):
    """The grid, after its drawer is opened."""
    screen.open(**link)
    screen.widget("by_hand").locator("summary").click()
    grid = screen.page.locator("[class*=st-key-by-hand-grid]")
    grid.locator("canvas").first.wait_for()
    grid.scroll_into_view_if_needed()
    # Wait until figures that scrolling brought near are drawn, since they would push the grid away.
    screen.settle()
    return grid


def typed(screen: Screen, grid, row: int, *texts: str) -> None:
    """Click on a cell of the first column, then type one text below the other, each once the last is in the link."""
    editor = screen.page.locator("#portal textarea")
    for _ in range(3):
        # Playwright waits until the grid stands still: figures above may still grow.
        grid.click(position={"x": 150, "y": (row + 1.5) * ROW})
        screen.page.keyboard.press("Enter")
        with contextlib.suppress(WaitedInVain):
            editor.wait_for(timeout=5_000)
            break
    for at, text in enumerate(texts, 1):
        before = screen.parameters.get("edited")
        if at > 1:
            screen.page.keyboard.press("Enter")
        editor.fill(text)
        editor.press("Enter")
        editor.wait_for(state="detached")
        if at < len(texts):
            screen.until("(before) => new URLSearchParams(location.search).get('edited') !== before", before)


@pytest.mark.slow
def test_numbers_typed_in_a_row_are_computed_with_carried_and_reset(screen):
    grid = opened(screen, preset="random", d_model=5)
    key = grid.get_attribute("class")
    typed(screen, grid, 1, "-.5", "1e2")
    text = edited(x=((0, 1, 0, -0.5), (0, 2, 0, 100.0)))
    screen.until_parameter("edited", text)
    shown = computed(preset="random", d_model="5", edited=text)
    for id in ("x", "weights"):
        np.testing.assert_allclose(
            np.nan_to_num(screen.numbers(screen.see(id))), recorded(shown, id), rtol=1e-4, atol=1e-6
        )
    # The grid is still the same element: a new one would take the cursor away.
    assert grid.get_attribute("class") == key
    grid.scroll_into_view_if_needed()
    typed(screen, grid, 0, "many")
    screen.page.get_by_text(say("by_hand.refused", words="many", largest="1000")).wait_for()
    assert screen.parameters["edited"] == text
    screen.page.locator(".st-key-plot-notes").get_by_role("button", name=say("by_hand.reset_all")).click()
    screen.until_parameter("edited", None)
    np.testing.assert_allclose(
        screen.numbers(screen.see("x")), recorded(computed(preset="random", d_model="5"), "x"), rtol=1e-4
    )
