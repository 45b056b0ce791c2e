"""Failures: the screen that remains is right, or says that it is not current."""

import contextlib

import pytest

from tests.browser.test_live import LARGE, SHOWN, hold, shown
from tests.support.browser import Screen

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast("test_figures_need_no_session", "test_a_late_answer_does_not_replace_a_newer_one"),
]
IS_NEW = f"([name, before]) => ({SHOWN})(name) !== before"
STAMP = "(name) => document.querySelector(`[data-view='${name}'] .att-card`).dataset.stamp"
IS_CURRENT = f"document.querySelector(`[data-view='{LARGE}']`).matches(':not([data-old])')"


@pytest.mark.slow
def test_figures_need_no_session(tab, server):
    """Without the websocket, Streamlit disables its widgets, but figures still answer clicks by the live route."""
    sockets = []

    def listen(socket):
        if sockets:
            # The websocket is lost for good: later attempts are closed.
            socket.close()
            return
        socket.connect_to_server()
        sockets.append(socket)

    with contextlib.closing(tab.context.new_page()) as page:
        page.route_web_socket("**/_stcore/stream", listen)
        screen = Screen(page, server)
        screen.open()
        before = shown(screen)
        sockets[0].close()
        page.wait_for_function(
            "() => document.querySelector('[data-testid=stApp]').dataset.testConnectionState !== 'CONNECTED'"
        )
        page.locator("[data-step=queries]").click()
        page.wait_for_function(IS_NEW, arg=[LARGE, before])
        assert page.evaluate(IS_CURRENT)
        assert screen.parameters == {"step": "queries"}


@pytest.mark.slow
def test_a_late_answer_does_not_replace_a_newer_one(screen):
    """The first answer is held back until the slider has gone on."""
    wanted = screen.open(dropout=0.1).page.evaluate(STAMP, LARGE)
    screen.open()
    kept = []
    screen.page.route("**/live?**", lambda route: kept.append(route) if not kept else route.continue_())
    handle = screen.widget("dropout").locator("input[type=range]")
    handle.press("ArrowRight")
    screen.page.wait_for_function("() => location.search.includes('dropout=0.05')")
    handle.press("ArrowRight")
    screen.page.wait_for_function("() => location.search.includes('dropout=0.1')")
    kept[0].continue_()
    screen.page.wait_for_function(f"([name, wanted]) => ({STAMP})(name) === wanted", arg=[LARGE, wanted])
    screen.page.unroute("**/live?**")
    screen.settle()
    assert screen.page.evaluate(STAMP, LARGE) == wanted


def test_ten_seconds_without_a_network_end_in_the_screen_that_was_asked_for(tab, server):
    with contextlib.closing(tab.context.new_page()) as page:
        screen = Screen(page, server)
        screen.open()
        before = shown(screen)
        page.context.set_offline(True)
        try:
            hold(screen, "dropout", 0.5)
            page.locator(f"[data-view='{LARGE}'][data-old]").wait_for()
            assert shown(screen) == before
            page.mouse.up()
        finally:
            page.context.set_offline(False)
        page.wait_for_function(IS_NEW, arg=[LARGE, before])
        page.wait_for_function(f"() => {IS_CURRENT}")


def test_two_tabs_of_one_visitor_are_two_screens(screen, server):
    screen.open(dropout=0.1)
    with contextlib.closing(screen.page.context.new_page()) as page:
        other = Screen(page, server)
        other.open(dropout=0.1)
        before = shown(screen)
        other.slide("dropout", "ArrowRight")
        other.until_parameter("dropout", "0.15")
        other.settle()
        other.leave()
    assert (shown(screen), screen.parameters["dropout"]) == (before, "0.1")
