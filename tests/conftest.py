"""Settings and fixtures of the whole suite.

All tests with a browser share one server. Each process has one Chromium with one tab, because an open tab opens a link
in a fifth of the time.
"""

import contextlib
import functools
import gc
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from streamlit import config
from streamlit.components.v2 import manifest_scanner

from benchmarks.server import Server, running
from pages.shell.runs import training
from tests.support import covering, shared_server, trained
from tests.support.browser import PHONE, Screen, chromium
from tests.support.in_page import STILL

ROOT = Path(__file__).resolve().parent.parent
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page lives for a second or two, in which optimised machine code does not pay.
    "--js-flags=--no-opt --no-maglev",
    # Chromium keeps compiled scripts from the second visit on, which saves a sixth of the time of opening a page. The
    # other settings are Playwright's own, which this flag would otherwise replace.
    "--blink-settings=v8CacheOptions=3,"
    "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
]

# Collecting tests leaves no garbage, and the collector would take a fifth of its time.
gc.disable()

# For each app that a test starts, Streamlit reads the metadata of every installed package: a third of its time.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)

# A failed test must show the details of an error, which visitors do not see.
config.set_option("client.showErrorDetails", "full")

# As on a server. Otherwise Streamlit notes the types of the arguments of each call of a page.
config.set_option("browser.gatherUsageStats", False)

trained.watch()

# One thread, as in the app. With more, the many tiny products wait for each other: test_parity.py took 33 s, now 2.
torch.set_num_threads(1)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Switch off Nagle's algorithm for pytest-rerunfailures. It asks one process about each test in two messages, and
    the second one waited 40 ms for the acknowledgement of the first: a quarter of the whole run."""
    connection = getattr(getattr(session.config, "failures_db", None), "sock", None)
    if connection is not None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the fast form, deselect tests that are marked `exhaustive`, or `slow`, or that `fast` does not name.

    A test in a browser that fails runs once more: a fault fails twice, and the summary names each test that ran again.
    """
    trained.mark(items)
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError", "AssertionError"]))
    if not covering.EVERY_TEST:
        config.hook.pytest_deselected(items=[item for item in items if not covering.is_fast(item)])
        items[:] = [item for item in items if covering.is_fast(item)]


def pytest_collection_finish() -> None:
    """Freeze all loaded objects, as the server does at its start, so that the collector skips them."""
    gc.collect()
    gc.freeze()
    # Tests keep the pages that they open, and the collector would walk through all of them every few seconds.
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    trained.look_anew()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    trained.judge(item)


@pytest.fixture
def one_step_a_run(monkeypatch):
    """A page that trains does one step in each run, for tests of other parts of the page."""
    monkeypatch.setattr(training, "TURN", 0.0)


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium. Without one its tests are skipped, or fail if a browser is required."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[str]:
    """The address of the server that all processes of this test run share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "server"
    folder.mkdir(exist_ok=True)
    with shared_server.used(folder) as address:
        yield address


@pytest.fixture
def fresh_server(tmp_path_factory) -> Iterator[Callable[[], Server]]:
    """A function that starts a server without visitors, which ends with the test."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(running(tmp_path_factory.mktemp("fresh")))


@pytest.fixture(scope="session")
def the_tab(browser):
    """The tab that all tests share; a new one after one that did not answer was closed (`Screen.leave`)."""
    context = browser.new_context()
    context.set_default_timeout(30_000)
    # Only in this context; a test with a context of its own has all animations.
    context.add_init_script(f"({STILL})()")
    yield lambda: context.pages[0] if context.pages else context.new_page()
    context.close()


@pytest.fixture
def tab(the_tab):
    return the_tab()


@pytest.fixture
def screen(tab, server) -> Iterator[Screen]:
    """The tab at its usual size and in light colours; any complaint of its pages fails the test."""
    screen = Screen(tab, server)
    yield screen
    screen.leave()
    assert not screen.complaints, "\n".join(screen.complaints)


@pytest.fixture
def phone(screen) -> Screen:
    screen.page.set_viewport_size(PHONE)
    return screen


@pytest.fixture
def picture(screen):
    """The picture of vectors on its page as it opens."""
    screen.look("/one_query")
    return screen.see("vectors")
