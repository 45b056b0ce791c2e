"""A tab that the browser has put to sleep goes on where it was when it wakes."""

import contextlib
from collections.abc import Iterator

import pytest

from pages.shell.i18n import say
from tests.support.browser import Screen

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_tab_that_wakes_answers",
    ),
]

STEPS = """() => Number(
  [...document.querySelectorAll('[data-testid=stProgress]')].at(-1)?.textContent.match(/\\d+/)?.[0] ?? -1)"""


@contextlib.contextmanager
def asleep(screen: Screen) -> Iterator[None]:
    """The state of a phone's tab in the background: no task of the page runs."""
    browser = screen.page.context.new_cdp_session(screen.page)
    browser.send("Page.setWebLifecycleState", {"state": "frozen"})
    try:
        yield
    finally:
        browser.send("Page.setWebLifecycleState", {"state": "active"})
        browser.detach()


def test_a_race_goes_on_when_its_tab_has_slept(screen):
    screen.open("/scaling", race_d=16, race_seeds=1, race_steps=500, race_lr="0.35")
    # A race never settles, so one look reads both the condition and the number of steps.
    assert screen.page.wait_for_function(f"() => ({STEPS})() > 0 && [({STEPS})()]").json_value()[0] < 500
    with asleep(screen):
        pass
    screen.page.get_by_role("button", name=say("lab.race.again")).wait_for()
    assert screen.page.evaluate(STEPS) == 500


@pytest.mark.slow
def test_a_tab_that_wakes_answers(screen):
    screen.open(dropout=0.3, d_model=12, preset="random")
    with asleep(screen):
        pass
    screen.page.get_by_role("slider", name=say("control.dropout.label")).press("ArrowRight")
    screen.until_parameter("dropout", "0.35")
    screen.settle()
    assert screen.parameters["d_model"] == "12"
