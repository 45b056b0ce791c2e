"""What the whole suite shares: one thread for the arithmetic; for the tests that are marked `browser`, one server, and
in each process one Chromium and one page in it, because a page that is there opens a link in a fifth of the time."""

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
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

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
    # A page lives for a second or two: machine code that would be fast in the long run is not worth its making.
    "--js-flags=--no-opt --no-maglev",
    # What was compiled of a file is kept from its second visit on, a sixth of what a page takes to open. The rest
    # are Playwright's own settings, which this would replace.
    "--blink-settings=v8CacheOptions=3,"
    "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
]

# Until all tests are known, nothing that is made is rubbish: a collector that looks takes a fifth of that time.
gc.disable()

# Streamlit reads what every installed package says of itself for each app that a test starts: a third of its time.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)

# And it reads and compiles each script anew for each run of a test.
app_test.ScriptCache = local_script_runner.ScriptCache = functools.cache(ScriptCache)

_looks_whether_it_ended = local_script_runner.require_widgets_deltas


def _waits_until_it_ended(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
    """Streamlit looks a thousand times a second whether a run has ended, and takes the processor from it each time."""
    if (thread := runner._script_thread) is not None:
        thread.join(timeout)
    _looks_whether_it_ended(runner, 1 if runner.script_stopped() else 0)


local_script_runner.require_widgets_deltas = _waits_until_it_ended

# What visitors do not see of an error, a test that failed must say.
config.set_option("client.showErrorDetails", "full")

# As a server has it: of each call of a page, else, the kinds of its arguments are noted.
config.set_option("browser.gatherUsageStats", False)

trained.watch()

# As the app computes. With more, the many tiny products wait for each other: test_parity.py took 33 s, now 2.
torch.set_num_threads(1)


def pytest_sessionstart(session: pytest.Session) -> None:
    """What repeats tests asks one process about each test of the others, in two messages, of which the second waited
    40 ms for the receipt of the first: a quarter of the whole run."""
    connection = getattr(getattr(session.config, "failures_db", None), "sock", None)
    if connection is not None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is marked `exhaustive` to the machine that checks a change while nobody waits."""
    trained.mark(items)
    if not covering.EVERY_TEST:
        config.hook.pytest_deselected(items=[item for item in items if not _is_fast(item)])
        items[:] = [item for item in items if _is_fast(item)]


def pytest_collection_finish() -> None:
    """As the server does when it has started: what is loaded is not walked through for rubbish again and again."""
    gc.collect()
    gc.freeze()
    # A page that a test has opened stays, and the collector would walk through all of them every few seconds.
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    trained.look_anew()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    trained.judge(item)


def _is_fast(item: pytest.Item) -> bool:
    """Whether a test runs while somebody waits: `exhaustive` says no, `fast` names those of its file that do."""
    fast = item.get_closest_marker("fast")
    return not item.get_closest_marker("exhaustive") and (fast is None or item.originalname in fast.args)


@pytest.fixture
def one_step_a_run(monkeypatch):
    """A page that trains does one step in a run, for tests that look at what else is there."""
    monkeypatch.setattr(training, "TURN", 0.0)


@pytest.fixture(scope="session")
def browser():
    """A Chromium of the system. Without one its tests are skipped, and fail where they must not be."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[str]:
    """The address of the one server of this test run, whichever of its processes asks."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "server"
    folder.mkdir(exist_ok=True)
    with shared_server.used(folder) as address:
        yield address


@pytest.fixture
def fresh_server(tmp_path_factory) -> Iterator[Callable[[], Server]]:
    """Servers that nobody has visited, ended with the test."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(running(tmp_path_factory.mktemp("fresh")))


@pytest.fixture(scope="session")
def the_tab(browser):
    """The tab that all tests share, or another one where it did not answer and is closed (`Screen.leave`)."""
    context = browser.new_context()
    context.set_default_timeout(30_000)
    # A test with a context of its own sees everything move.
    context.add_init_script(f"({STILL})()")
    yield lambda: context.pages[0] if context.pages else context.new_page()
    context.close()


@pytest.fixture
def tab(the_tab):
    return the_tab()


@pytest.fixture
def screen(tab, server) -> Iterator[Screen]:
    """The tab at its usual size and in light colours; whatever it complained of fails the test."""
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
    """The picture of vectors, as its page opens."""
    screen.look("/one_query")
    return screen.see("vectors")
