"""Input that does not wait for answers: the page still works, and shows the screen that was asked for last."""

import contextlib
import time
import urllib.parse

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.server import running
from pages.shell.lectures.format import lecture
from pages.shell.state.url import written
from tests.browser.test_lectures import at_stop, opened
from tests.browser.test_links import held
from tests.support.browser import Screen
from tests.support.covering import EXHAUSTIVE, some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_keys_held_on_sliders_and_buttons_pressed_in_a_row_leave_the_page_at_work",
        "test_a_session_that_ended_is_opened_again_where_it_was",
    ),
]

LINK = {"preset": "random", "text": "a b c d e f g h\ni j k", "mask": "window"}
# The sliders that are held; the last one appears once another mask is chosen.
SLIDERS = ("d_model", "d_v", "width", "last", "dropout", "sentence", "head", "length")
# Without EXHAUSTIVE=2: the slider that changes the least, and the one of the mask.
HELD = SLIDERS if EXHAUSTIVE else ("dropout", "length")
# The options of the bar that are pressed one after the other; the last one stays.
PRESSED = {"heads": (1, 8, 2), "d_k": (4, 8), "mask": ("full", "prefix")}
# How often an arrow key is held up, down and up again.
ROUNDS = 3 if EXHAUSTIVE else 1
# Seconds between two repetitions of a held key, and between two presses of a clicker in a hurry.
REPEAT, HURRY = 0.03, 0.2
MARK = "() => { window.firstPage = true; }"
IS_MARKED = "() => window.firstPage === true"
ANSWERS = "() => document.querySelector('[data-testid=stApp]')?.dataset.testConnectionState === 'CONNECTED'"


def hold(screen: Screen, control: str, times: int) -> None:
    """Hold an arrow key on a slider, up from its lower half, else down, without waiting for answers."""
    handle = screen.widget(control).locator("input[type=range]")
    handle.focus()
    key = "ArrowRight" if float(handle.input_value()) < float(handle.get_attribute("max")) / 2 else "ArrowLeft"
    for _ in range(times):
        screen.page.keyboard.press(key)
        time.sleep(REPEAT)


def hold_to_and_fro(screen: Screen, control: str) -> None:
    """Hold arrow keys back to values of a few runs ago, whose data the browser is about to forget."""
    handle = screen.widget(control).locator("input[type=range]")
    handle.focus()
    for key, times in (("ArrowRight", 8), ("ArrowLeft", 5), ("ArrowRight", 3)) * ROUNDS:
        for _ in range(times):
            screen.page.keyboard.press(key)
            time.sleep(REPEAT)


@pytest.mark.slow
def test_keys_held_on_sliders_and_buttons_pressed_in_a_row_leave_the_page_at_work(screen):
    screen.open(**LINK)
    screen.page.evaluate(MARK)
    for control in HELD[:-1]:
        hold_to_and_fro(screen, control)
    for control, options in PRESSED.items():
        for option in options:
            screen.choose(control, option)
    hold_to_and_fro(screen, HELD[-1])
    # A run may wait for a processor after the one before, and look settled. The address changes at its end.
    screen.until_parameter("mask", PRESSED["mask"][-1])
    assert screen.page.evaluate(IS_MARKED)
    assert {name: held(screen, name) for name in screen.parameters} == screen.parameters
    screen.changed(lambda: hold(screen, "dropout", 1))


@pytest.mark.parametrize("name", some(["tour", "masks"], 1))
def test_a_burst_through_a_lecture_ends_at_one_of_its_stops(screen, name):
    opened(screen, lecture=name)
    at_stop(screen, name, 1)
    screen.page.evaluate(MARK)
    for key in ["PageDown"] * 5 + ["PageUp"] * 3 + ["PageDown"] * 2:
        screen.page.keyboard.press(key)
        time.sleep(HURRY)
    screen.settle()
    assert screen.page.evaluate(IS_MARKED)
    number = int(screen.parameters.get("stop", 1))
    at_stop(screen, name, number)
    screen.page.keyboard.press("PageDown")
    at_stop(screen, name, min(number + 1, len(lecture(name).stops)))


@pytest.mark.slow
def test_a_session_that_ended_is_opened_again_where_it_was(tab, server):
    """A reference to a message that the browser does not have ends the session."""
    sockets = []

    def listen(socket):
        socket.connect_to_server()
        sockets.append(socket)

    # The test has a page of its own, because a route on a websocket stays for good.
    with contextlib.closing(tab.context.new_page()) as page:
        page.route_web_socket("**/_stcore/stream", listen)
        screen = Screen(page, server)
        screen.open(**LINK)
        page.evaluate(MARK)
        sockets[-1].send(ForwardMsg(ref_hash="never sent", metadata={"delta_path": [0, 0]}).SerializeToString())
        page.wait_for_function("() => window.firstPage === undefined")
        screen.settle()
        assert screen.parameters == {name: written(value) for name, value in LINK.items()}
        screen.changed(lambda: hold(screen, "dropout", 1))


@pytest.mark.exhaustive(
    "server/test_deploy.py::test_when_a_replica_dies_its_visitors_go_on_at_the_other_with_their_screens"
)
def test_a_server_that_is_started_again_goes_on_with_the_screen(tab, tmp_path):
    with running(tmp_path) as first:
        screen = Screen(tab, first.address)
        screen.open(**LINK, dropout=0.3)
        seen = {place: card["stamp"] for place, card in screen.cards().items()}
    port = urllib.parse.urlsplit(first.address).port
    screen.page.wait_for_function(f"() => !({ANSWERS})()")
    with running(tmp_path, port=port):
        screen.settle()
        assert {place: card["stamp"] for place, card in screen.cards().items()} == seen
        assert screen.parameters == {name: written(value) for name, value in {**LINK, "dropout": 0.3}.items()}
        screen.changed(lambda: hold(screen, "dropout", 1))
        screen.leave()


@pytest.mark.parametrize("path", some(["/masks/extra?mask=full", "/foo/bar", "/a/b/c/"], 1))
def test_a_path_of_several_segments_is_a_page_that_is_not_found(screen, path):
    screen.page.goto(screen.base + path)
    screen.page.get_by_role("dialog").get_by_text("Page not found").wait_for()
    screen.settle()
    # Streamlit's own word for it, in the browser's console.
    assert screen.complaints == [
        "The page that you have requested does not seem to exist. Running the app's main page."
    ]
    screen.complaints.clear()
    assert screen.parameters == dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query))
